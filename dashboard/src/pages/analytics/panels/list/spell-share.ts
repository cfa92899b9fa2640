import type { Format } from '#format/create-format.ts';

/** Formats a share in whole percent. Empty when there is no total. */
export function spellShare(
  value: number,
  total: number | undefined,
  format: Pick<Format, 'percent'>,
): string {
  if (total === undefined || total <= 0) return '';
  const share = Math.min(1, value / total);
  // A tiny share is not zero.
  return share > 0 && share < 0.005 ? `<${format.percent(0.01)}` : format.percent(share);
}
