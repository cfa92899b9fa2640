import { addDays } from '@trackside/contract/calendar/day.ts';
import { createLocalTime, type LocalTime } from '@trackside/contract/calendar/local-time.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import type { Counts } from '../../../server/src/stats/question/metrics.ts';

/** The parts of a website that its made-up numbers depend on. */
export type CountedSite = {
  /** Visitors on an ordinary day. 0 for a website that nobody has visited yet. */
  visitorsADay: number;
  now: LocalTime;
  minutesAgo: (minutes: number) => LocalTime;
  /** The day of the first record. */
  firstDay: string;
};

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long there have been records. */
const recordedDays = 800;

export function countedSite(timezone: string, visitorsADay: number): CountedSite {
  const [nowMs, localTime] = [Date.now(), createLocalTime(timezone)];
  const now = localTime(nowMs);
  const first = addDays(now.day, -recordedDays);
  const minutesAgo = (minutes: number) => localTime(nowMs - minutes * minuteMs);
  return { visitorsADay, now, minutesAgo, firstDay: visitorsADay === 0 ? now.day : first };
}

/** A pseudorandom number from 0 to 1 that is always the same for a text. */
export function chance(text: string): number {
  let hash = 0x811c9dc5;
  for (const letter of text) hash = Math.imul(hash ^ letter.codePointAt(0)!, 0x01000193);
  return ((hash >>> 8) % 10_000) / 10_000;
}

/** Fewer on Saturday and Sunday, more from month to month, no two days alike, and a big day now and then. */
function visitorsOf(site: CountedSite, day: string): number {
  if (site.visitorsADay === 0 || day < site.firstDay) return 0;
  const weekday = [0.66, 1.02, 1.08, 1.05, 1.03, 0.96, 0.62][new Date(day).getUTCDay()]!;
  const months = Math.max(0, (Date.parse(site.now.day) - Date.parse(day)) / (30 * dayMs));
  const growth = 0.9 ** Math.min(months, 3) * 0.97 ** Math.max(0, months - 3);
  const luck = chance(day) > 0.97 ? 1.6 : 0.93 + 0.14 * chance(day);
  return site.visitorsADay * weekday * growth * luck;
}

/** Quiet at night, busiest in the evening. The shares of a day's hours add up to 1. */
const hourly = Array.from({ length: 24 }, (_, hour) => 1.1 + Math.sin(((hour - 9) / 24) * 2 * Math.PI));
const hourlySum = hourly.reduce((sum, one) => sum + one, 0);

/**
 * Visitors between two moments of the website's clock, in milliseconds as if it were UTC, but never in the
 * future.
 */
function visitorsBetween(site: CountedSite, fromMs: number, toMs: number): number {
  const endMs = Math.min(toMs, Date.parse(`${site.now.at.replace(' ', 'T')}Z`));
  let sum = 0;
  for (let atMs = fromMs; atMs < endMs; ) {
    const at = new Date(atMs).toISOString();
    const ofDay = visitorsOf(site, at.slice(0, 10));
    const isWholeDay = atMs % dayMs === 0 && atMs + dayMs <= endMs;
    const nextMs = isWholeDay ? atMs + dayMs : Math.min(endMs, (Math.floor(atMs / hourMs) + 1) * hourMs);
    const ofHour = ofDay * (hourly[Number(at.slice(11, 13))]! / hourlySum);
    sum += isWholeDay ? ofDay : (ofHour * (nextMs - atMs)) / hourMs;
    atMs = nextMs;
  }
  return sum;
}

export function visitorsIn(site: CountedSite, { from, to, fromTime, toTime }: Period): number {
  const startMs = Date.parse(`${from}T${fromTime ?? '00:00'}Z`);
  return visitorsBetween(site, startMs, Date.parse(`${to}T${toTime ?? '23:59'}Z`) + minuteMs);
}

/** The visitors of each interval. An interval ends where the next one begins. */
export function visitorsOfEach(site: CountedSite, times: readonly string[], period: Period): number[] {
  const toMs = (time: string) => Date.parse(time.length === 10 ? `${time}T00:00Z` : `${time}Z`);
  const startMs = Date.parse(`${period.from}T${period.fromTime ?? '00:00'}Z`);
  const endMs = Date.parse(`${period.to}T${period.toTime ?? '23:59'}Z`) + minuteMs;
  return times.map((time, index) => {
    const next = times[index + 1];
    return visitorsBetween(site, Math.max(startMs, toMs(time)), next === undefined ? endMs : toMs(next));
  });
}

/** All metrics of a number of visitors. `name` makes the rates of one row differ from those of another. */
export function countsOf(visitors: number, name: string, converting: number): Counts {
  const vary = (about: number, part: string) => about * (0.92 + 0.16 * chance(name + part));
  const visits = Math.round(visitors * 1.28);
  return {
    visitors: Math.round(visitors),
    visits,
    pageViews: Math.round(visits * vary(2.95, 'views')),
    events: Math.round(visitors * vary(0.25, 'events')),
    bounces: Math.min(visits, Math.round(visits * vary(0.38, 'bounces'))),
    durationMs: visits * vary(161_000, 'duration'),
    converted: Math.round(visitors * converting),
  };
}
