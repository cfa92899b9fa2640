import { addDays } from '@trackside/contract/calendar/day.ts';
import { addMonths } from '@trackside/contract/calendar/month.ts';
import type { Questions } from '@trackside/contract/stats/questions.ts';
import { daysOf, previousSpan, spanOf, weekdaysBefore, yearBefore } from './periods.ts';
import { monthsOfNames } from './shift-period.ts';
import type { Span, View } from './view.ts';

type Compared = Pick<View, 'period' | 'compare'>;

/**
 * The days that a view is compared with. The default is the period right before: the same number of days, or
 * the previous week, month, quarter or year up to the same point.
 */
export function comparedSpan({ period, compare }: Compared, today: string): Span | undefined {
  if (compare === 'none') return undefined;
  if (typeof compare === 'object') return compare;
  const span = spanOf(period, today);
  if (compare === 'previousYear') return yearBefore(span);
  if (compare === 'sameWeekdays') return weekdaysBefore(span);
  return unitBefore(period, span) ?? previousSpan(span);
}

/** The comparison to ask for. The server cuts it off where the current period has got to. */
export function comparisonOf({ period, compare }: Compared, today: string): Questions['query']['compare'] {
  if (compare === 'none') return undefined;
  if (typeof compare === 'object') return { ...compare, soFar: true };
  const unit = compare === 'previousPeriod' ? unitBefore(period, spanOf(period, today)) : undefined;
  return unit === undefined ? compare : { ...unit, soFar: true };
}

/** The previous week, month, quarter or year, up to the same point. A complete one stays complete. */
function unitBefore(period: View['period'], span: Span): Span | undefined {
  if (period === 'thisWeek') return weekdaysBefore(span);
  if (period === 'thisYear') return yearBefore(span);
  const months = typeof period === 'string' ? monthsOfNames[period] : undefined;
  if (months === undefined) return undefined;
  const from = addMonths(span.from, -months);
  const last = addDays(span.from, -1);
  const isWhole = addDays(span.to, 1) === addMonths(span.from, months);
  const same = addDays(from, daysOf(span) - 1);
  return { from, to: isWhole || same > last ? last : same };
}
