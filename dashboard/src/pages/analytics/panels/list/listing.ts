import type { MetricName } from '@trackside/contract/stats/metrics.ts';
import type { Key } from '@trackside/contract/stats/questions.ts';

/** A list that a panel can show: the values of one dimension, with numbers for each. */
export type Listing = {
  id: string;
  /** On its tab. */
  label: string;
  /** Over its rows, such as Source. */
  heading: string;
  /** All of them, as in "All sources". */
  plural: string;
  key: Key;
  /** What its rows are ordered by and show; the details have the other ones too. */
  metrics: readonly [MetricName, ...MetricName[]];
  /** Another list of the details, such as versions of browsers. */
  finer?: Listing;
};
