/** A share in whole percent; nothing where there is no whole. */
export function spellShare(value: number, total: number | undefined): string {
  if (total === undefined || total <= 0) return '';
  const percent = (100 * value) / total;
  if (percent > 0 && percent < 0.5) return '<1%';
  return `${Math.min(100, Math.round(percent))}%`;
}
