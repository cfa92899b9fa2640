import type { Names } from '#format/names.ts';
import { Flag } from './flag.tsx';
import { SourceMark } from './source-mark.tsx';

/** The text that a value of a dimension is shown as. */
export function labelOf(dimension: string, value: string, names: Names): string {
  // Nearly every referrer begins with this, and it never tells two of them apart.
  if (dimension === 'referrer') return value.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '');
  return names.value(dimension, value);
}

/** The mark in front of a value, for the dimensions that have one. */
export function markOf(dimension: string, value: string) {
  if (dimension === 'source') return <SourceMark source={value} />;
  return dimension === 'country' && value !== '' ? <Flag code={value} /> : undefined;
}
