import type { AskedPeriod } from '../view/periods.ts';
import type { View } from '../view/view.ts';

/** The days that contain a period. Reports count whole days, even when the page has zoomed into minutes. */
export function wholeDays(period: AskedPeriod): AskedPeriod {
  // The last 24 hours are on two days.
  if (period === '24h') return '2d';
  if (typeof period === 'string') return period;
  return { from: period.from.slice(0, 10), to: period.to.slice(0, 10) };
}

export const isPartOfDays = (period: View['period'] | undefined): boolean =>
  period === '24h' || (typeof period === 'object' && period.from.includes('T'));
