import type { SavedFunnel } from '../../control/websites/saved-funnels.ts';
import type { Website } from '../../control/websites/website-row.ts';

export type DemoFunnels = readonly Omit<SavedFunnel, 'id'>[];

type DemoState = {
  state: 'none' | 'loading' | 'loaded' | 'removing' | 'failed';
  done: number;
  records: number;
};

/** Loads and removes demo data. The node brings it along. */
export type Demos = {
  stateOf(websiteId: number): Promise<DemoState>;
  /** Whether the website has no records, and nothing is under way. */
  canLoad(websiteId: number): Promise<boolean>;
  load(
    website: Website,
    options: {
      days: number;
      leave: (extras: {
        notes: readonly { day: string; text: string }[];
        funnels: DemoFunnels;
      }) => Promise<void>;
    },
  ): void;
  canRemove(websiteId: number): Promise<boolean>;
  remove(website: Website, options: { leave: (extras: { funnels: DemoFunnels }) => Promise<void> }): void;
};
