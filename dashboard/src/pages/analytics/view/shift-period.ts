import { addDays } from '@trackside/contract/calendar/day.ts';
import { addMinutes, minutesBetween } from '@trackside/contract/calendar/minute.ts';
import { addMonths, monthStart, monthsBetween } from '@trackside/contract/calendar/month.ts';
import { mondayOf } from '@trackside/contract/calendar/week.ts';
import { daysOf, hasTimes, previousSpan, spanOf } from './periods.ts';
import type { NamedPeriod, Span, View } from './view.ts';

const earliest = '2000-01-01';

/**
 * The previous or next period of the same length, in weeks for weeks and in months for months. Undefined where there is none,
 * because nothing comes after today. A period with a name, such as yesterday, is returned by its name, so
 * that a link to it moves with time.
 */
export function shiftPeriod(period: View['period'], today: string, by: -1 | 1): View['period'] | undefined {
  // All time has nothing before it, and the last 24 hours move with the clock.
  if (period === 'all' || period === '24h') return undefined;
  const span = spanOf(period, today);
  if (by === 1 && (period === '12m' || span.to.slice(0, 10) >= today) && !hasTimes(span)) return undefined;
  if (by === -1 && span.from < earliest) return undefined;
  if (hasTimes(span)) return shiftMinutes(span, today, by);
  if (isWeek(period, span)) return shiftWeek(span, today, by);
  const months = monthsIn(period, span);
  return months > 0 ? shiftMonths(span, months, today, by) : shiftDays(span, today, by);
}

function shiftMinutes(span: Span, today: string, by: -1 | 1): Span | undefined {
  if (by === -1) return previousSpan(span);
  const length = minutesBetween(span.from, span.to) + 1;
  const moved = { from: addMinutes(span.from, length), to: addMinutes(span.to, length) };
  return moved.from.slice(0, 10) > today ? undefined : moved;
}

function shiftDays(span: Span, today: string, by: -1 | 1): View['period'] {
  const days = daysOf(span);
  const to = by === -1 ? addDays(span.from, -1) : addDays(span.to, days);
  const last = to > today ? today : to;
  const moved = { from: addDays(last, 1 - days), to: last };
  return named(moved, ['today', 'yesterday', '7d', '30d', '90d'], today);
}

function shiftWeek({ from }: Span, today: string, by: -1 | 1): View['period'] {
  const monday = addDays(from, by * 7);
  const sunday = addDays(monday, 6);
  return named({ from: monday, to: sunday > today ? today : sunday }, ['thisWeek'], today);
}

/** Whether a period is a week from Monday on. The current week counts as one, although it isn't over. */
const isWeek = (period: View['period'], span: Span) =>
  period === 'thisWeek' ||
  (typeof period === 'object' && mondayOf(span.from) === span.from && daysOf(span) === 7);

function shiftMonths(span: Span, months: number, today: string, by: -1 | 1): View['period'] {
  const from = addMonths(monthStart(span.from), by * months);
  const end = addDays(addMonths(from, months), -1);
  const moved = { from, to: end > today ? today : end };
  // Nothing follows the last 12 months, so an earlier period keeps its days.
  const names: NamedPeriod[] = ['thisMonth', 'lastMonth', 'thisQuarter', 'thisYear'];
  return named(moved, by === 1 ? [...names, '12m'] : names, today);
}

/** The months of periods with a name. The current ones count, although they aren't over. */
export const monthsOfNames: Readonly<Partial<Record<NamedPeriod, number>>> = {
  thisMonth: 1,
  lastMonth: 1,
  thisQuarter: 3,
  thisYear: 12,
  '12m': 12,
};

/** How many whole months a period has. */
function monthsIn(period: View['period'], { from, to }: Span): number {
  if (typeof period === 'string') return monthsOfNames[period] ?? 0;
  if (!from.endsWith('-01') || !addDays(to, 1).endsWith('-01')) return 0;
  return monthsBetween(from, to) + 1;
}

function named(span: Span, names: readonly NamedPeriod[], today: string): View['period'] {
  const isSame = (name: NamedPeriod) => {
    const { from, to } = spanOf(name, today);
    return from === span.from && to === span.to;
  };
  return names.find(isSame) ?? span;
}
