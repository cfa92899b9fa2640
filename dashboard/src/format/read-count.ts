import type { Format } from './create-format.ts';

/**
 * Reads a whole number as people type it: 250000, 250,000, 250.000 or 250 000. Undefined for anything else.
 */
export function readCount(text: string): number | undefined {
  const trimmed = text.trim();
  const isGrouped = /^\d{1,3}([.,'’ \u00a0\u202f])\d{3}(?:\1\d{3})*$/.test(trimmed);
  const digits = isGrouped ? trimmed.replace(/\D/g, '') : trimmed;
  return /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
}

/** Writes a whole number the way the page writes it elsewhere, if it can be read again like that. */
export function writeCount(count: number, { number }: Pick<Format, 'number'>): string {
  const text = number(count);
  return readCount(text) === count ? text : String(count);
}
