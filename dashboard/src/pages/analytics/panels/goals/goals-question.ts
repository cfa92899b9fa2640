import type { Questions } from '@trackside/contract/stats/questions.ts';
import { scopeOf } from '../../overview/overview-questions.ts';
import { intervalOf } from '../../view/intervals.ts';
import type { AskedPeriod } from '../../view/periods.ts';
import type { View } from '../../view/view.ts';

/** Asks for all goals, with a trend by day or longer. Shorter intervals would have one point, or too few. */
export function goalsQuestion(view: View, period: AskedPeriod, today: string): Questions['goals'] {
  const interval = intervalOf(view, today);
  const isShort = interval === 'minute' || interval === 'hour';
  return { ...scopeOf(view, period, today), ...(!isShort && { interval }) };
}
