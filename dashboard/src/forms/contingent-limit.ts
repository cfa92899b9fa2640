import type { Limit } from '#design/forms/limit-field.tsx';
import { readCount } from '#format/read-count.ts';

export const contingentTexts = {
  unlimited: 'No limit',
  unlimitedHint: 'Every record is accepted.',
  limited: 'At most',
  unit: 'records a month',
};

/** Checks a contingent as it was typed. */
export function checkContingent({ isLimited, text }: Limit): { contingent?: string } {
  if (!isLimited || readCount(text) !== undefined) return {};
  return { contingent: 'Enter a whole number, for example 250,000.' };
}

export function toContingent({ isLimited, text }: Limit): number | null {
  return isLimited ? (readCount(text) ?? null) : null;
}

export function fromContingent(contingent: number | null): Limit {
  return { isLimited: contingent !== null, text: contingent === null ? '' : String(contingent) };
}
