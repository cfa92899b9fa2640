import type { Names } from '#format/names.ts';
import { Flag } from './flag.tsx';
import { SourceMark } from './source-mark.tsx';

/** The displayed text of a value. */
export function labelOf(dimension: string, value: string, names: Names): string {
  // Nearly every referrer starts with this, and it never distinguishes two of them.
  if (dimension === 'referrer') return value.replace(/^https?:\/\/(?:www\.)?/, '').replace(/\/$/, '');
  return names.value(dimension, value);
}

/** The mark before a value, for dimensions that have marks. */
export function markOf(dimension: string, value: string) {
  if (dimension === 'source') return <SourceMark source={value} />;
  return dimension === 'country' && value !== '' ? <Flag code={value} /> : undefined;
}
