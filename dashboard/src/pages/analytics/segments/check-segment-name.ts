import { maxNameLength } from '@trackside/contract/app/limits.ts';
import type { SegmentsWords } from './segments-words.ts';

/** Says what is wrong with the name of a segment. Undefined if it can be saved. */
export function checkSegmentName(text: string, words: SegmentsWords['saving']): string | undefined {
  const { length } = [...text.trim()];
  if (length === 0) return words.nameMissing;
  return length > maxNameLength ? words.nameLong(maxNameLength) : undefined;
}
