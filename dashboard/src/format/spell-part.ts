import type { Format } from './create-format.ts';

/** Formats a part of a total in percent. Neither is a tiny part nothing, nor is nearly everything all. */
export function spellPart(part: number, total: number, format: Pick<Format, 'percent'>): string {
  if (part === 0 || part === total) return format.percent(part === 0 ? 0 : 1);
  const share = part / total;
  return share < 0.001 ? `<${format.percent(0.001, 1)}` : format.percent(Math.min(share, 0.999), 1);
}
