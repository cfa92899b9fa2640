import { mondayOf } from '@trackside/contract/calendar/week.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { wholeDay } from '../days/build-rollups.ts';
import { type BuiltDay, type DayPart, partsOf } from '../days/ready-days.ts';
import { addCounts, type Counts, noCounts, sumsOfRollups } from '../question/metrics.ts';
import type { Question } from '../question/read-question.ts';
import type { Counted } from '../sql/ask-visits.ts';
import { createKeptSums, type Sums } from './kept-sums.ts';

export type AskDays = ReturnType<typeof createAskDays>;

/** Enough for a year of fifty websites. */
const maxKeptBytes = 13_000_000;

const query = `
  select toString(build) as build, ${sumsOfRollups()}
  from rollups as r
  where website_id = {website_id:UInt32} and dimension = '${wholeDay}'
    and day between {from:Date} and {to:Date} and build in {builds:Array(UInt64)}
  group by build`;

/**
 * Answers questions for the whole, or for a series of days, weeks or months. All of them are sums of the same
 * days, which are kept in memory once they have been read, those of a base and of its change each on their
 * own.
 */
export function createAskDays() {
  const kept = createKeptSums(maxKeptBytes);
  const keyOf = (store: WebsiteStore, { build }: DayPart) => `${store.websiteId} ${build}`;

  /**
   * Finds the counts of each build; undefined for one in which there were only bots. They are kept for
   * everyone, so reading them continues when one of those who asked disconnects.
   */
  async function countsOf(store: WebsiteStore, parts: readonly DayPart[]): Promise<(Counts | undefined)[]> {
    // These are held here too, because the cache may drop one before it is used below.
    const sums = new Map(parts.map((part) => [part.build, kept.get(keyOf(store, part))]));
    const missing = parts.filter(({ build }) => sums.get(build) === undefined);
    if (missing.length > 0) {
      const read = readDays(store, missing);
      for (const part of missing) {
        const ofPart = read.then((found): Sums => {
          const counts = found.get(part.build);
          return new Map(counts === undefined ? [] : [[part.build, counts]]);
        });
        sums.set(part.build, ofPart);
        kept.set(keyOf(store, part), ofPart);
      }
    }
    return await Promise.all(parts.map(async ({ build }) => (await sums.get(build))?.get(build)));
  }

  return async (store: WebsiteStore, question: Question, days: readonly BuiltDay[]): Promise<Counted> => {
    const { from, to } = question.period;
    const within = days.filter(({ day }) => day >= from && day <= to).flatMap(partsOf);
    const counts = await countsOf(store, within);
    const sums = new Map<string | undefined, Counts>();
    if (question.interval === undefined) sums.set(undefined, noCounts);
    for (const [at, { day }] of within.entries()) {
      const time = timeOf(question, day);
      if (counts[at] !== undefined) sums.set(time, addCounts(sums.get(time) ?? noCounts, counts[at]));
    }
    const rows = [...sums].map(([time, sum]) => ({ time, values: [], counts: sum }));
    return { rows, totalRows: rows.length };
  };
}

async function readDays(store: WebsiteStore, days: readonly DayPart[]): Promise<Map<string, Counts>> {
  const inOrder = days.map(({ day }) => day).toSorted();
  const builds = days.map(({ build }) => BigInt(build));
  const rows = await store.query<{ build: string } & Counts>({
    query,
    params: { from: inOrder[0], to: inOrder.at(-1), builds },
    isQuick: true,
  });
  return new Map(rows.map(({ build, ...counts }) => [build, counts]));
}

function timeOf({ interval }: Question, day: string): string | undefined {
  if (interval === 'week') return mondayOf(day);
  if (interval === 'month') return `${day.slice(0, 7)}-01`;
  return interval === undefined ? undefined : day;
}
