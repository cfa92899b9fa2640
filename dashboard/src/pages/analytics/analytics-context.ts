import { createContext } from 'preact';
import type { StatsAccess } from '#api/stats-access.ts';
import { useProvided } from '#browser/use-provided.ts';
import type { Asker } from './ask/create-asker.ts';
import type { Asking } from './ask/use-asking-state.ts';
import type { View } from './view/view.ts';

/** The parts of a website that its statistics need. */
export type AnalysedWebsite = { id: number; name: string; shownDomain: string; timezone: string };

export type Analytics = {
  website: AnalysedWebsite;
  access: StatsAccess;
  asker: Asker;
  asking: Asking;
  /** The current day in the website's timezone. */
  today: string;
  /** The view in the address. The page asks about this view, and its controls show it. */
  wanted: View;
  /** The view of the numbers on the page. It becomes `wanted` when the answers arrive. */
  shown: View;
  /** Changes the view, with a new entry in the browser's history unless `replace` is set. */
  change: (change: Partial<View>, options?: { replace: boolean }) => void;
  /** Whether this is a public page, which shows only statistics. */
  isShared: boolean;
  /** Whether the user can add notes and funnels. */
  canEdit: boolean;
};

export const AnalyticsContext = createContext<Analytics | undefined>(undefined);

export const useAnalytics = (): Analytics => useProvided(AnalyticsContext);
