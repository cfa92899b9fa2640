import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import { type BuiltDay, numbersOf, type ReadyDays } from '../days/ready-days.ts';
import type { StoreInTurn } from '../plan/ask-in-turn.ts';
import { dimensionOf } from '../question/dimensions.ts';
import { noCounts } from '../question/metrics.ts';
import { isList, isSeries, type Question } from '../question/read-question.ts';
import type { Counted, CountedRow } from '../sql/ask-visits.ts';
import type { ListLimits } from './ask-lists.ts';
import { joinSums, type Sums, topOfSums } from './kept-sums.ts';
import { createSharedScans } from './shared-scans.ts';

/** Days whose sums are kept as one. */
type Stretch = readonly BuiltDay[];
/** What was counted in a stretch; undefined if there are too many values to keep. */
type Kept = { sums: Sums | undefined };

export type KeptScans = ReturnType<typeof createKeptScans>;

/**
 * Answers questions from the visits. What was counted in days that have ended is kept, so whoever asks again,
 * or looks at a filtered page that renews itself, waits only for the days that have changed since.
 *
 * Visitors with a ClientId can come on several days, so their number cannot be added up. Where there are any,
 * an answer is kept for as long as no day of the period has changed.
 */
export function createKeptScans({ keptValues, valuesOfOne }: ListLimits) {
  const scan = createSharedScans();
  const kept = createBoundedCache<Kept>({
    maxSize: keptValues,
    sizeOf: ({ sums }) => 1 + (sums?.size ?? 0),
  });

  /** Finds what a question counts in a stretch, for each of the questions. */
  async function sumsOf(
    store: StoreInTurn,
    questions: readonly Question[],
    stretch: Stretch,
    signal: AbortSignal | undefined,
  ): Promise<(Sums | undefined)[]> {
    const all = questions.map((question) => toWhole(question, stretch, valuesOfOne + 1));
    const scope = `${store.websiteId} ${stretch.flatMap(numbersOf).join()}`;
    const keys = all.map((question) => `${scope} ${JSON.stringify(question)}`);
    const found = keys.map((key) => kept.get(key));
    const missing = all.filter((_, at) => found[at] === undefined);
    const counted = missing.length === 0 ? [] : await scan(store, missing, stretch, signal);
    const read = new Map(missing.map((question, at) => [question, counted[at]!]));
    return all.map((question, at) => {
      if (found[at] !== undefined) return found[at].sums;
      const sums = toSums(read.get(question)!, valuesOfOne);
      kept.set(keys[at]!, { sums });
      return sums;
    });
  }

  /** Answers questions about the same days that one statement can answer. */
  return async (
    store: StoreInTurn,
    questions: readonly Question[],
    { days, builds, hasClients }: Pick<ReadyDays, 'days' | 'builds' | 'hasClients'>,
    signal?: AbortSignal,
  ): Promise<Counted[]> => {
    if (!questions.every(canBeKept)) return await scan(store, questions, builds, signal);
    const { from, to } = questions[0]!.period;
    const within = days.filter(({ day }) => day >= from && day <= to);
    const stretches = toStretches(within, hasClients);
    const sums = await Promise.all(stretches.map((stretch) => sumsOf(store, questions, stretch, signal)));
    const answers = questions.map((question, at) => {
      const parts = sums.map((ofStretch) => ofStretch[at]);
      return parts.every((part) => part !== undefined) ? toAnswer(question, joinSums(parts)) : undefined;
    });
    const large = questions.filter((_, at) => answers[at] === undefined);
    const rest = large.length === 0 ? [] : await scan(store, large, builds, signal);
    return answers.map((answer, at) => answer ?? rest[large.indexOf(questions[at]!)]!);
  };
}

/** Whether what a question counts in several days can be added up by its values. */
function canBeKept(question: Question): boolean {
  const { period, dimensions, filters, interval, offset } = question;
  if (period.fromTime !== undefined || interval === 'minute') return false;
  if ([...dimensions, ...filters].some(({ dimension }) => dimension === 'visitorType')) return false;
  if (dimensions.length === 0) return isSeries(question) || offset === 0;
  return isList(question);
}

function toStretches(days: readonly BuiltDay[], hasClients: boolean): Stretch[] {
  if (hasClients && days.length > 0) return [days];
  const { open = [], closed = [] } = Object.groupBy(days, ({ isOpen }) => (isOpen ? 'open' : 'closed'));
  return [closed, open].filter((stretch) => stretch.length > 0);
}

/**
 * The same question about all values in a stretch: which rows of it are wanted is decided when all days are
 * known.
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
