import type { Limit } from '#design/forms/limit-field.tsx';
import type { Format } from '#format/create-format.ts';
import { readCount, writeCount } from '#format/read-count.ts';
import type { SharedWords } from '#words/shared-words.ts';

/** Checks a contingent as it was typed. */
export function checkContingent(
  { isLimited, text }: Limit,
  words: SharedWords['quota'],
): { contingent?: string } {
  if (!isLimited || readCount(text) !== undefined) return {};
  return { contingent: words.invalid };
}

export function toContingent({ isLimited, text }: Limit): number | null {
  return isLimited ? (readCount(text) ?? null) : null;
}

/** A saved limit as the field shows it. */
export function toLimit(count: number | null, format: Pick<Format, 'number'>): Limit {
  return { isLimited: count !== null, text: count === null ? '' : writeCount(count, format) };
}
