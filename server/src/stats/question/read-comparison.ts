import { addDays, daysBetween, yearBefore } from '@trackside/contract/calendar/day.ts';
import { type LocalTime, localMinute } from '@trackside/contract/calendar/local-time.ts';
import { addMinutes, minutesBetween } from '@trackside/contract/calendar/minute.ts';
import {
  betweenMinutes,
  isYearBefore,
  type Period,
  previousPeriod,
  previousYear,
  sameWeekdays,
  untilNow,
} from '@trackside/contract/calendar/period.ts';
import { type ComparisonName, comparisonNames } from '@trackside/contract/stats/periods.ts';
import { comparedSpanSchema } from '@trackside/contract/stats/questions.ts';
import { isStorableDay } from '../../time/is-storable-day.ts';
import { QuestionError } from './question-error.ts';
import { type QuestionContext, readPeriod } from './read-period.ts';
import { createReader, readObject } from './read-value.ts';

/** The question that is compared: its period, and whether it asks for intervals. */
type Compared = { period: Period; interval?: unknown };

const namedComparisons: Readonly<Record<ComparisonName, (period: Period) => Period>> = {
  previousPeriod,
  sameWeekdays,
  previousYear,
};
const readSoFar = createReader(comparedSpanSchema.properties.soFar);

/**
 * Reads the period to compare with. A series shows all of it. Totals of a period that has not ended are
 * compared with the same part of the other period, unless that one was given by its days alone.
 */
export function readComparison(
  value: unknown,
  { period, interval }: Compared,
  context: QuestionContext,
): Period | undefined {
  if (value === undefined || value === null) return undefined;
  const { now } = context;
  const isOfTotals = interval === undefined;
  const name = comparisonNames.find((known) => known === value);
  if (name !== undefined) {
    const before = storable(namedComparisons[name](period));
    return isOfTotals ? partSoFar(before, period, now) : before;
  }
  if (typeof value === 'object' && 'soFar' in value) {
    const { soFar, ...span } = readObject('compare', value, comparedSpanSchema);
    const isCut = readSoFar('compare.soFar', soFar);
    const before = readPeriod('compare', span, context);
    return isCut && isOfTotals ? partSoFar(before, period, now) : before;
  }
  const other = readPeriod('compare', value, context, comparisonNames);
  const isOfDays = period.fromTime === undefined && other.fromTime === undefined;
  const isTodayWithDay = isOfDays && period.from === now.day && period.to === now.day && isOneDay(other);
  return isTodayWithDay && isOfTotals && typeof value === 'string' ? untilNow(other, now) : other;
}

const isOneDay = ({ from, to }: Period) => from === to;

/**
 * Returns the part of the previous period that is as long as the elapsed part of this one: up to the current
 * time on the day that corresponds to today.
 */
function partSoFar(before: Period, period: Period, now: LocalTime): Period {
  if (period.fromTime !== undefined) return minutesSoFar(before, period, now);
  if (before.fromTime !== undefined || now.day < period.from || now.day > period.to) return before;
  const to = sameDay(before, period, now.day);
  // A shorter period, such as February for March 31, is compared as a whole.
  if (to > before.to) return before;
  const isLong = daysBetween(before.from, to) >= longDays;
  return untilNow({ from: before.from, to }, isLong ? atLastStep(now) : now);
}

/**
 * From this number of days on, a comparison ends at a full ten minutes, so that it doesn't have to be counted
 * again every minute. What is left out is less than a thousandth of it.
 */
const longDays = 6;

const atLastStep = ({ day, at }: LocalTime): LocalTime => ({ day, at: `${at.slice(0, 15)}0:00` });

function minutesSoFar(before: Period, period: Period, now: LocalTime): Period {
  const [first, last] = [`${period.from}T${period.fromTime}`, `${period.to}T${period.toTime}`];
  const [start, current] = [`${before.from}T${before.fromTime}`, localMinute(now)];
  if (before.fromTime === undefined || current < first || current >= last) return before;
  if (isYearBefore(before, period)) return { ...before, to: yearBefore(now.day), toTime: current.slice(11) };
  return betweenMinutes(start, addMinutes(start, minutesBetween(first, current)));
}

/** Returns the day of the previous period that corresponds to a day of this one. */
function sameDay(before: Period, period: Period, day: string): string {
  if (isYearBefore(before, period)) return yearBefore(day);
  return addDays(before.from, daysBetween(period.from, day));
}

function storable(compared: Period): Period {
  if (isStorableDay(compared.from)) return compared;
  throw new QuestionError(
    `compare: expected days in 1970 or later, got ${compared.from}: choose a later or shorter period`,
  );
}
