import type { AskedPeriod } from '../../../api/stats-shapes.ts';

/** The days in which a period lies. Reports count whole days, also when the page has zoomed into minutes. */
export function wholeDays(period: AskedPeriod): AskedPeriod {
  if (typeof period === 'string') return period;
  return { from: period.from.slice(0, 10), to: period.to.slice(0, 10) };
}

export const isPartOfDays = (period: AskedPeriod | undefined): boolean =>
  typeof period === 'object' && period.from.includes('T');
