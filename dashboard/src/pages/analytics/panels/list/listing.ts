import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import type { Key } from '@trackside/contract/stats/questions.ts';

/** A list that a panel can show: the values of one dimension, with numbers for each. */
export type Listing = {
  id: string;
  /** The label of its tab. */
  label: string;
  /** The heading above its rows, such as Source. */
  heading: string;
  /** The plural, as in "All sources". */
  plural: string;
  key: Key;
  /** The list shows its rows by the first metric. The details show all of them. */
  metrics: readonly [MetricName, ...MetricName[]];
  /** A more detailed list, such as the versions of browsers. */
  finer?: Listing;
};
