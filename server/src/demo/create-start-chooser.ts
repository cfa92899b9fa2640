import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import { createChoice, type Weighted } from './create-choice.ts';
import type { Random } from './create-random.ts';
import type { DemoDay } from './plan-days.ts';

const hourMs = 60 * 60 * 1000;

/** Weights by the hour of the visitor's own day, from midnight on. */
const weekdayHours = [
  18, 10, 6, 5, 6, 12, 30, 62, 98, 128, 138, 132, 112, 120, 132, 130, 118, 100, 84, 80, 86, 84, 62, 36,
];
const weekendHours = [
  32, 20, 12, 8, 7, 8, 14, 28, 50, 74, 92, 98, 94, 94, 98, 102, 102, 98, 94, 100, 108, 102, 78, 52,
];
/** Weights by the hour of the website's day. The post goes up after lunch and is read into the night. */
const viralHours = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6, 40, 84, 100, 104, 98, 92, 90, 84, 76, 64];

/** Creates a chooser for the start of a visit, at an hour when people are awake where the visitor lives. */
export function createStartChooser(): {
  visit(day: DemoDay, timezone: string, random: Random): number;
  viral(day: DemoDay, isFirstDay: boolean, random: Random): number;
} {
  const chooseHour = {
    weekday: createChoice(toHours(weekdayHours)),
    weekend: createChoice(toHours(weekendHours)),
    viral: createChoice(toHours(viralHours)),
  };
  const localTimes = new Map<string, (ms: number) => { at: string }>();
  const offsets = new Map<string, number>();

  /** Returns how many hours a timezone is ahead of UTC at noon of the website's day. */
  function offsetOn({ day, startMs }: DemoDay, timezone: string): number {
    const key = `${day} ${timezone}`;
    const known = offsets.get(key);
    if (known !== undefined) return known;
    const localTime = localTimes.get(timezone) ?? createLocalTime(timezone);
    localTimes.set(timezone, localTime);
    const noonMs = startMs + 12 * hourMs;
    const offset = (Date.parse(`${localTime(noonMs).at.replace(' ', 'T')}Z`) - noonMs) / hourMs;
    offsets.set(key, offset);
    return offset;
  }

  function atHour(day: DemoDay, hour: number, random: Random): number {
    const dayHours = (day.endMs - day.startMs) / hourMs;
    const within = (((hour + random.next()) % 24) / 24) * dayHours;
    return day.startMs + Math.floor(within * hourMs);
  }

  return {
    visit(day, timezone, random) {
      const hour = chooseHour[day.isWeekend ? 'weekend' : 'weekday'](random);
      // The website's midnight as an hour of the visitor's day.
      const startOffset = (day.startMs / hourMs + offsetOn(day, timezone)) % 24;
      return atHour(day, (hour - startOffset + 48) % 24, random);
    },
    viral: (day, isFirstDay, random) =>
      atHour(day, isFirstDay ? chooseHour.viral(random) : chooseHour.weekday(random), random),
  };
}

function toHours(weights: readonly number[]): Weighted<number> {
  return weights.map((weight, hour) => [weight, hour]);
}
