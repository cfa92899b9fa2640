import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { StatsAccess } from '#api/stats-access.ts';
import type { Asker } from './ask/create-asker.ts';
import type { Asking } from './ask/use-asking-state.ts';
import type { View } from './view/view.ts';

/** A website as its numbers need it. */
export type AnalysedWebsite = { id: number; name: string; shownDomain: string; timezone: string };

export type Analytics = {
  website: AnalysedWebsite;
  access: StatsAccess;
  asker: Asker;
  asking: Asking;
  /** The day it is at the website. */
  today: string;
  /** What the address says. Questions are asked about it. */
  wanted: View;
  /**
   * What the numbers on the page are about: `wanted`, as soon as the first of its answers is there. Chips and
   * labels show it.
   */
  shown: View;
  /** Goes to a changed view: a new entry in the browser's history, unless it only replaces this one. */
  change: (change: Partial<View>, options?: { replace: boolean }) => void;
  /** A public page: nothing but numbers. */
  isShared: boolean;
  /** May add notes and funnels. */
  canEdit: boolean;
};

export const AnalyticsContext = createContext<Analytics | undefined>(undefined);

export function useAnalytics(): Analytics {
  const analytics = useContext(AnalyticsContext);
  if (analytics === undefined) throw new Error('expected to be inside of AnalyticsContext');
  return analytics;
}
