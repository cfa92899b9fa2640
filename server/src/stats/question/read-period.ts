import { daysBetween } from '@trackside/contract/calendar/day.ts';
import type { LocalTime } from '@trackside/contract/calendar/local-time.ts';
import { lastDays, lastMinutes, type Period } from '@trackside/contract/calendar/period.ts';
import { maxDays } from '@trackside/contract/stats/limits.ts';
import { namedPeriod, periodNames } from '@trackside/contract/stats/periods.ts';
import { type Filter, minutesSchema, spanSchema } from '@trackside/contract/stats/questions.ts';
import type { AddressRules } from '../../text/address-rules.ts';
import { isStorableDay } from '../../time/is-storable-day.ts';
import { QuestionError } from './question-error.ts';
import { createReader, readObject, shown } from './read-value.ts';

/**
 * The context in which a question is read: the website's local time now and some minutes ago, the day of its
 * first record, which of its addresses are one page, and the filters of the segments that can be named, by their
 * ids.
 */
export type QuestionContext = {
  now: LocalTime;
  minutesAgo: (minutes: number) => LocalTime;
  firstDay: string;
  addressRules?: AddressRules;
  segments?: ReadonlyMap<unknown, readonly Filter[]>;
};

const readLastMinutes = createReader(minutesSchema.properties.lastMinutes);

/** Reads a period. A message about an unknown name lists the other names that the member can have too. */
export function readPeriod(
  path: string,
  value: unknown,
  context: QuestionContext,
  otherNames: readonly string[] = [],
): Period {
  if (typeof value === 'string') return readName(path, value, context, otherNames);
  const asked = readObject(path, value, spanSchema, minutesSchema);
  if (asked.lastMinutes !== undefined)
    return lastMinutes(readLastMinutes(`${path}.lastMinutes`, asked.lastMinutes), context.minutesAgo);
  const from = readMoment(`${path}.from`, asked.from);
  const to = readMoment(`${path}.to`, asked.to);
  if ((from.time === undefined) !== (to.time === undefined))
    throw new QuestionError(`${path}: expected from and to as two days or as two minutes, got one of each`);
  if (`${from.day}${from.time ?? ''}` > `${to.day}${to.time ?? ''}`)
    throw new QuestionError(
      `${path}: expected from to be before to, got ${shown(asked.from)} and ${shown(asked.to)}`,
    );
  const days = daysBetween(from.day, to.day) + 1;
  if (days > maxDays) throw new QuestionError(`${path}: expected at most ${maxDays} days, got ${days}`);
  if (from.time === undefined || to.time === undefined) return { from: from.day, to: to.day };
  return { from: from.day, to: to.day, fromTime: from.time, toTime: to.time };
}

function readName(
  path: string,
  value: string,
  { now, minutesAgo, firstDay }: QuestionContext,
  otherNames: readonly string[],
): Period {
  const days = Number(/^(\d{1,4})d$/.exec(value)?.[1]);
  if (days >= 1 && days <= maxDays) return lastDays(days, now.day);
  const name = periodNames.find((known) => known === value);
  if (name === '24h') return lastMinutes(24 * 60, minutesAgo);
  if (name !== undefined) return namedPeriod(name, now.day, firstDay);
  const names = [...otherNames, ...periodNames].join(', ');
  throw new QuestionError(
    `${path}: expected ${names}, a number of days such as 30d, or an object with from and to, got ${shown(value)}`,
  );
}

function readMoment(path: string, value: unknown): { day: string; time?: string } {
  const found =
    typeof value === 'string' ? /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3]):([0-5]\d))?$/.exec(value) : null;
  if (found === null || !isStorableDay(found[1]!)) {
    throw new QuestionError(
      `${path}: expected a day such as 2026-03-31, or a minute such as 2026-03-31T14:05, got ${shown(value)}`,
    );
  }
  return { day: found[1]!, ...(found[2] !== undefined && { time: `${found[2]}:${found[3]}` }) };
}
