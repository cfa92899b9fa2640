/** Formats a share in whole percent. Empty when there is no total. */
export function spellShare(value: number, total: number | undefined): string {
  if (total === undefined || total <= 0) return '';
  const percent = (100 * value) / total;
  if (percent > 0 && percent < 0.5) return '<1%';
  return `${Math.min(100, Math.round(percent))}%`;
}
