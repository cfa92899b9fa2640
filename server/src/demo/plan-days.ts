import { addDays, dayMs } from '@trackside/contract/calendar/day.ts';
import { createLocalTime, type LocalTime } from '@trackside/contract/calendar/local-time.ts';
import { minuteMs } from '@trackside/contract/calendar/minute.ts';
import { weekdayOf } from '@trackside/contract/calendar/week.ts';
import { createRandom } from './create-random.ts';

/** One local day of the demo and how much happens on it. */
export type DemoDay = {
  index: number;
  /** `YYYY-MM-DD` */
  day: string;
  startMs: number;
  endMs: number;
  isWeekend: boolean;
  /** How far into a year's growth the day is, from 0 to 1. */
  progress: number;
  /** Visits according to the trend alone, without weekday and season. */
  usualVisits: number;
  /** Visits without those of campaigns and of the viral post. */
  visits: number;
  viralVisits: number;
};

export type DayPlan = { days: DemoDay[]; viralIndex: number };

export type PlanOptions = {
  timezone: string;
  days: number;
  visitsPerDay: number;
  seed: number;
  nowMs: number;
};

/** From Sunday on. The mean is 1. */
const weekdayFactors = [0.66, 1.15, 1.22, 1.19, 1.13, 1.01, 0.64];
const noise = 0.07;
/** A year begins this much below the mean and ends this much above it. */
const growth = 0.35;
const viralAt = 0.62;
/** Visits on the viral day and the days after it, as multiples of a usual day. */
const viralFactors = [7, 2, 0.6, 0.2];

/** Plans the last days up to today, in the website's timezone. */
export function planDays(options: PlanOptions): DayPlan {
  const { seed, visitsPerDay, nowMs } = options;
  const localTime = createLocalTime(options.timezone);
  const today = localTime(nowMs).day;
  const dates = Array.from({ length: options.days }, (_, index) => addDays(today, index - options.days + 1));
  const viralIndex = findViralIndex(dates);
  const span = Math.min(1, options.days / 365);

  const days = dates.map((day, index): DemoDay => {
    const weekday = weekdayOf(day);
    const progress = 0.5 + (index / Math.max(1, options.days - 1) - 0.5) * span;
    const usualVisits = visitsPerDay * (1 + growth * (2 * progress - 1));
    const mood = createRandom(seed, 'mood', day).spread(1, noise);
    return {
      index,
      day,
      startMs: findStart(localTime, day),
      endMs: findStart(localTime, addDays(day, 1)),
      isWeekend: weekday === 0 || weekday === 6,
      progress,
      usualVisits,
      visits: Math.round(usualVisits * weekdayFactors[weekday]! * seasonFactor(day) * mood),
      viralVisits: Math.round(usualVisits * (viralFactors[index - viralIndex] ?? 0)),
    };
  });
  return { days, viralIndex };
}

/** Picks a working day in the middle of the week, when such things usually happen. */
function findViralIndex(dates: readonly string[]): number {
  const aim = Math.floor((dates.length - 1) * viralAt);
  for (const shift of [0, 1, -1, 2, -2]) {
    const date = dates[aim + shift];
    if (date !== undefined && [2, 3, 4].includes(weekdayOf(date))) return aim + shift;
  }
  return aim;
}

function seasonFactor(day: string): number {
  const monthAndDay = day.slice(5);
  if (monthAndDay >= '12-24' || monthAndDay <= '01-01') return 0.55;
  if (monthAndDay >= '12-20' || monthAndDay <= '01-05') return 0.8;
  return monthAndDay.startsWith('08') ? 0.92 : 1;
}

/** Finds the first minute of a local day, even if the clocks change then. */
function findStart(localTime: (ms: number) => LocalTime, day: string): number {
  const aboutMs = Date.parse(`${day}T00:00:00Z`);
  // No timezone is more than 14 hours ahead or 12 hours behind.
  let before = aboutMs - dayMs;
  let behind = aboutMs + dayMs;
  while (behind - before > minuteMs) {
    const middle = before + Math.floor((behind - before) / minuteMs / 2) * minuteMs;
    if (localTime(middle).day < day) before = middle;
    else behind = middle;
  }
  return behind;
}
