import type { Limit } from '#design/forms/limit-field.tsx';
import { readCount } from '#format/read-count.ts';
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

export function fromContingent(contingent: number | null): Limit {
  return { isLimited: contingent !== null, text: contingent === null ? '' : String(contingent) };
}
