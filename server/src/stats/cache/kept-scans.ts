import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import { type BuiltDay, numbersOf, type ReadyDays, recordsOf } from '../days/ready-days.ts';
import type { StoreInTurn } from '../plan/ask-in-turn.ts';
import { dimensionOf } from '../question/dimensions.ts';
import { noCounts } from '../question/metrics.ts';
import { isList, isSeries, type Question } from '../question/read-question.ts';
import type { Counted, CountedRow } from '../sql/ask-visits.ts';
import { areEntries } from '../sql/scan-visits.ts';
import type { ListLimits } from './ask-lists.ts';
import { bytesOf, joinSums, type Sums, topOfSums } from './kept-sums.ts';
import { keyOf } from './key-of.ts';
import { createSharedScans, type SharedScans } from './shared-scans.ts';

/** Days whose sums are kept as one. */
type Stretch = readonly BuiltDay[];
/** What was counted in a stretch; undefined if there are too many values to keep. */
type Kept = { sums: Sums | undefined };
/** Answers questions about the same days, unless only the visits can. */
export type CountDays = (
  store: StoreInTurn,
  questions: readonly Question[],
  days: Stretch,
  signal: AbortSignal | undefined,
  scan: SharedScans,
) => Promise<Counted[] | undefined>;

export type KeptScans = ReturnType<typeof createKeptScans>;

/**
 * Answers questions from the visits. Counts of past days are kept, so a question that is asked again, or a
 * filtered page that refreshes, waits only for the days that have changed since.
 *
 * Visitors with a ClientId can visit on several days, so their number cannot be added up over days, but it
 * can be added up over visitors. If there are any, the sums of all days are kept as they were before the
 * latest changes. Only the visitors in a change are counted again, to find the difference it makes.
 */
export function createKeptScans({ keptBytes, valuesOfOne, manyRecords }: ListLimits) {
  const scanVisits = createSharedScans({ manyRecords });
  const kept = createBoundedCache<Kept>({
    maxSize: keptBytes,
    sizeOf: ({ sums }) => bytesOf(sums),
  });

  /** Finds what a question counts in a stretch, for each of the questions. */
  async function sumsOf(
    store: StoreInTurn,
    questions: readonly Question[],
    stretch: Stretch,
    signal: AbortSignal | undefined,
    count?: CountDays,
    scan: SharedScans = scanVisits,
  ): Promise<(Sums | undefined)[]> {
    if (stretch.length === 0) return questions.map(() => new Map());
    const all = questions.map((question) => toWhole(question, stretch, valuesOfOne + 1));
    const keys = keysOf(store, all, stretch);
    const found = keys.map((key) => kept.get(key));
    const missing = all.filter((_, at) => found[at] === undefined);
    const counted =
      missing.length === 0
        ? []
        : ((await count?.(store, missing, stretch, signal, scan)) ??
          (await scan(store, missing, stretch, signal)));
    const read = new Map(missing.map((question, at) => [question, counted[at]!]));
    return all.map((question, at) => {
      if (found[at] !== undefined) return found[at].sums;
      const sums = toSums(read.get(question)!, valuesOfOne);
      kept.set(keys[at]!, { sums });
      return sums;
    });
  }

  /** Counts minutes of days that have ended, such as those that are compared with today so far. */
  async function totalsOf(
    store: StoreInTurn,
    questions: readonly Question[],
    days: Stretch,
    signal: AbortSignal | undefined,
  ): Promise<Counted[]> {
    const keys = keysOf(store, questions, days);
    const found = keys.map((key) => kept.get(key)?.sums);
    const missing = questions.filter((_, at) => found[at] === undefined);
    const counted = missing.length === 0 ? [] : await scanVisits(store, missing, days, signal);
    return questions.map((question, at) => {
      if (found[at] !== undefined) return toAnswer(question, found[at]);
      const answer = counted[missing.indexOf(question)]!;
      kept.set(keys[at]!, { sums: toSums(answer, valuesOfOne) });
      return answer;
    });
  }

  /**
   * Finds the sums of days by adding up those that have ended and those that may change. The ones that have
   * ended take longest, so their statement is first in line, even if it takes a moment to know what it asks.
   */
  async function sumsOfDays(
    store: StoreInTurn,
    questions: readonly Question[],
    days: Stretch,
    signal: AbortSignal | undefined,
    count: CountDays | undefined,
  ): Promise<(Sums | undefined)[]> {
    const { open = [], closed = [] } = Object.groupBy(days, ({ isOpen }) => (isOpen ? 'open' : 'closed'));
    const areFew = areEntries(questions);
    const stretches = areFew && recordsOf(closed) >= manyRecords ? inHalves(closed) : [closed];
    // Where few visits match, nothing is cheaper than reading those.
    const ofEnded = areFew ? undefined : count;
    const inLine = Promise.withResolvers<void>();
    const scanFirst: SharedScans = (...asked) => {
      const answers = scanVisits(...asked);
      inLine.resolve();
      return answers;
    };
    const ended = Promise.all(
      stretches.map((part) => sumsOf(store, questions, part, signal, ofEnded, scanFirst)),
    );
    ended.then(() => inLine.resolve(), inLine.reject);
    const ofOpen = inLine.promise.then(() => sumsOf(store, questions, open, signal));
    const parts = (await Promise.all([ended, ofOpen.then((sums) => [sums])])).flat();
    return questions.map((_, at) => joinAll(parts.map((part) => part[at])));
  }

  /** Finds the sums of days by adding up visitors who are in the latest changes and those who are not. */
  async function sumsOfVisitors(
    store: StoreInTurn,
    asked: readonly Question[],
    days: Stretch,
    signal: AbortSignal | undefined,
    count: CountDays | undefined,
  ): Promise<(Sums | undefined)[]> {
    // Visits tell whether a value is still there when those of some visitors have been taken off.
    const questions = asked.map(withVisits);
    const moving = days.filter(isMoving);
    if (areMost(moving, days)) return await sumsOf(store, questions, days, signal, count);
    const settled = days.flatMap(toSettled);
    if (moving.length === 0) return await sumsOf(store, questions, settled, signal, count);
    const change = {
      builds: moving.map(({ build }) => build),
      before: settled.map(({ build }) => build),
    };
    const differences = questions.map((question) => ({ ...question, change }));
    const [before, more] = await Promise.all([
      sumsOf(store, questions, settled, signal, count),
      sumsOf(store, differences, days, signal),
    ]);
    return questions.map((_, at) => {
      const sums = joinAll([before[at], more[at]]);
      return sums && new Map([...sums].filter(([, { visits }]) => visits > 0));
    });
  }

  /**
   * Answers questions about the same days that one statement can answer. With `count`, something cheaper than
   * the visits can provide the sums.
   */
  return async (
    store: StoreInTurn,
    questions: readonly Question[],
    { days, builds, mayRepeat }: Pick<ReadyDays, 'days' | 'builds' | 'mayRepeat'>,
    signal?: AbortSignal,
    count?: CountDays,
  ): Promise<Counted[]> => {
    const { from, to } = questions[0]!.period;
    const within = days.filter(({ day }) => day >= from && day <= to);
    const hasEnded = within.length > 0 && within.every(({ isOpen }) => !isOpen);
    if (hasEnded && questions.every(isTotalOfMinutes))
      return await totalsOf(store, questions, within, signal);
    if (!questions.every(canBeKept)) return await scanVisits(store, questions, builds, signal);
    const sums = mayRepeat
      ? await sumsOfVisitors(store, questions, within, signal, count)
      : await sumsOfDays(store, questions, within, signal, count);
    const answers = questions.map((question, at) => sums[at] && toAnswer(question, sums[at]));
    const large = questions.filter((_, at) => answers[at] === undefined);
    const rest = large.length === 0 ? [] : await scanVisits(store, large, builds, signal);
    return answers.map((answer, at) => answer ?? rest[large.indexOf(questions[at]!)]!);
  };
}

function keysOf({ websiteId }: StoreInTurn, questions: readonly Question[], days: Stretch): string[] {
  const scope = keyOf(`${websiteId} ${days.flatMap(numbersOf).join()}`);
  return questions.map((question) => keyOf(`${scope} ${JSON.stringify(question)}`));
}

/**
 * Two statements read many days in almost half the time of one, because each runs on one processor. For few
 * records, planning the second one would take longer than it saves.
 */
function inHalves(days: Stretch): Stretch[] {
  const half: BuiltDay[] = [];
  let left = recordsOf(days) / 2;
  for (const day of days) {
    left -= day.records;
    if (left < 0) break;
    half.push(day);
  }
  return [half, days.slice(half.length)];
}

/** The day as it was before the latest changes, which may be not at all. */
function toSettled({ base, ...day }: BuiltDay): BuiltDay[] {
  if (!day.isOpen) return [day];
  return day.hasBase ? [{ ...day, build: base ?? day.build }] : [];
}

/** Whether the build of a day will be replaced when more records come: a change, or a day without a base. */
const isMoving = ({ isOpen, hasBase, base }: BuiltDay) => isOpen && (!hasBase || base !== undefined);

/**
 * Whether the builds that will be replaced have so many visitors that reading their visits would take as long
 * as counting everyone. A change has few visitors.
 */
function areMost(moving: Stretch, days: Stretch): boolean {
  const clientsOf = (some: Stretch) => some.reduce((sum, { clients }) => sum + clients, 0);
  return moving.length > 0 && 3 * clientsOf(moving.filter(({ hasBase }) => !hasBase)) >= clientsOf(days);
}

/** The same question, which also counts visits. */
export const withVisits = (question: Question): Question => ({
  ...question,
  metrics: [...new Set([...question.metrics, 'visits' as const])],
});

/** Adds up sums. Undefined if there are too many values in one of them. */
function joinAll(parts: readonly (Sums | undefined)[]): Sums | undefined {
  return parts.every((part) => part !== undefined) ? joinSums(parts) : undefined;
}

/** Whether what a question counts in several days can be added up by its values. */
function isTotalOfMinutes({ period, dimensions, filters, interval }: Question): boolean {
  if (period.fromTime === undefined || interval !== undefined || dimensions.length > 0) return false;
  return !filters.some(({ dimension }) => dimension === 'visitorType');
}

function canBeKept(question: Question): boolean {
  const { period, dimensions, filters, interval, offset } = question;
  if (period.fromTime !== undefined || interval === 'minute') return false;
  if ([...dimensions, ...filters].some(({ dimension }) => dimension === 'visitorType')) return false;
  if (dimensions.length === 0) return isSeries(question) || offset === 0;
  return isList(question);
}

/**
 * The same question about all values in a stretch. Which rows are wanted is decided when all days are known.
 */
function toWhole({ only: _, ...question }: Question, stretch: Stretch, limit: number): Question {
  const days = stretch.map(({ day }) => day).toSorted();
  const period = { from: days[0]!, to: days.at(-1)! };
  return question.dimensions.length === 0 ? { ...question, period } : { ...question, period, limit };
}

function toSums({ rows, totalRows }: Counted, maxValues: number): Sums | undefined {
  if (totalRows > maxValues) return undefined;
  return new Map(rows.map((row) => [row.time ?? row.values[0] ?? '', row.counts]));
}

function toAnswer(question: Question, sums: Sums): Counted {
  if (question.dimensions.length > 0) return topOfSums(question, ofOnly(question, sums));
  const rows: CountedRow[] = isSeries(question)
    ? [...sums.keys()].toSorted().map((time) => ({ time, values: [], counts: sums.get(time)! }))
    : [{ time: undefined, values: [], counts: sums.get('') ?? noCounts }];
  return { rows, totalRows: rows.length };
}

function ofOnly({ only, dimensions }: Question, sums: Sums): Sums {
  const wanted = only && new Set(only.map(([value]) => value!));
  const { isOptional } = dimensionOf(dimensions[0]!.dimension);
  return new Map(
    [...sums].filter(([value]) => (wanted?.has(value) ?? true) && !(isOptional && value === '')),
  );
}
