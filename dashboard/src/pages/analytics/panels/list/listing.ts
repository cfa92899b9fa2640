import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import type { Key } from '@trackside/contract/stats/questions.ts';
import type { Tab } from '#design/display/tabs.tsx';
import type { PanelsWords } from '../panels-words.ts';

/** A list that a panel can show: the values of one dimension, with numbers for each. */
export type Listing = {
  /** The name of its dimension. Its words have the same name. */
  id: keyof PanelsWords['listings'];
  key: Key;
  /** The list shows its rows by the first metric. The details show all of them. */
  metrics: readonly [MetricName, ...MetricName[]];
  /** The list that one of its values leads to, such as the versions of a browser. */
  finer?: Listing;
};

/** The tabs of a panel for its lists. */
export const tabsOf = (listings: readonly Listing[], words: PanelsWords): Tab<Listing['id']>[] =>
  listings.map(({ id }) => ({ id, label: words.listings[id].tab }));
