import type { ComponentChildren } from 'preact';

export type BarItem = {
  key: string;
  label: string;
  /** An icon or a flag. */
  before?: ComponentChildren;
  /** Decides the length of the bar. */
  value: number;
  /** How the value is written; the number itself when absent. */
  shown?: string;
  /** The faint text before the value; the share of `total` when absent. */
  note?: string;
  /** Opens in a new tab, by an icon that appears on the row. */
  href?: string;
};
