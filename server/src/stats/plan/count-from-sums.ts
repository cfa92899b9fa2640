import type { Filter } from '@trackside/contract/stats/questions.ts';
import type { AskDays } from '../cache/ask-days.ts';
import type { AskLists } from '../cache/ask-lists.ts';
import { type CountDays, withVisits } from '../cache/kept-scans.ts';
import type { MissingShares } from '../cache/missing-shares.ts';
import type { BuiltDay } from '../days/ready-days.ts';
import { dimensionOf } from '../question/dimensions.ts';
import { addCounts, countNames, neededCounts, noCounts, toCounts } from '../question/metrics.ts';
import type { Question } from '../question/read-question.ts';
import { askRollups } from '../sql/ask-rollups.ts';
import type { Counted, CountedRow } from '../sql/ask-visits.ts';
import type { StoreInTurn } from './ask-in-turn.ts';
import { isInRollups, isOfDays } from './is-in-rollups.ts';

type SumSources = { askLists: AskLists; askDays: AskDays; missesOf: MissingShares };

/** If more visits than this are left out, reading them takes as long as reading those that match. */
const fewMissing = 0.3;

/**
 * Counts what filters leave from the sums of days, on a website without ClientIds. Filters that match every
 * record are dropped. If the others on visits leave out few of them, only these are read and taken off.
 */
export function countFromSums(sources: SumSources): CountDays {
  return async (store, questions, days, signal, scan) => {
    const { filters } = questions[0]!;
    const shares = await sources.missesOf(store, filters, days);
    const shareOf = (filter: Filter) => shares[filters.indexOf(filter)]!;
    const matter = filters.filter((filter) => shareOf(filter) > 0);
    const ofVisits = matter.filter(({ dimension }) => dimensionOf(dimension).level === 'visit');
    const ofRecords = matter.filter((filter) => !ofVisits.includes(filter));
    const left = questions.map((question) => ({ ...withVisits(question), filters: ofRecords }));
    const missing = ofVisits.reduce((sum, filter) => sum + shareOf(filter), 0);
    if (missing <= fewMissing && left.every((question) => isInRollups(question, false))) {
      const differences = left.map((question) => ({ ...question, leftOutBy: ofVisits }));
      const [whole, less] = await Promise.all([
        addUp(sources, store, left, days, signal),
        ofVisits.length === 0 ? [] : scan(store, differences, days, signal),
      ]);
      const areComplete = [...whole, ...less].every(({ rows, totalRows }) => rows.length === totalRows);
      if (areComplete) return questions.map((question, at) => subtract(question, whole[at]!, less[at]));
    }
    if (matter.length === filters.length) return undefined;
    const simpler = questions.map((question) => ({ ...question, filters: matter }));
    return await scan(store, simpler, days, signal);
  };
}

/** Answers questions with all of their values from the sums of days. */
async function addUp(
  { askLists, askDays }: SumSources,
  store: StoreInTurn,
  questions: readonly Question[],
  days: readonly BuiltDay[],
  signal: AbortSignal | undefined,
): Promise<Counted[]> {
  const lists = questions.filter(isWholeList);
  const ofLists = lists.length === 0 ? [] : askLists(store, lists, days, signal);
  return await Promise.all(
    questions.map(async (question) => {
      if (isWholeList(question)) return (await ofLists)[lists.indexOf(question)]!;
      if (isOfDays(question)) return await askDays(store, question, days);
      return await askRollups(store.withSignal(signal), question, days, false);
    }),
  );
}

/** Whether a question asks for all values of a dimension, whose sums are kept in memory. */
function isWholeList({ dimensions, filters, interval }: Question): boolean {
  const isList = dimensions.length === 1 && interval === undefined && filters.length === 0;
  return isList && dimensions[0]!.dimension !== 'weekday';
}

/** Adds differences, which are negative, to the rows that they are about. A row without visits is gone. */
function subtract(question: Question, whole: Counted, less: Counted | undefined): Counted {
  const keyOf = ({ time, values }: CountedRow) => time ?? values[0] ?? '';
  const byKey = new Map(less?.rows.map((row) => [keyOf(row), row.counts]));
  const isTotal = question.dimensions.length === 0 && question.interval === undefined;
  // The differences have no other counts.
  const needed = neededCounts(withVisits(question));
  const rows = whole.rows
    .map((row) => {
      const counts = addCounts(row.counts, byKey.get(keyOf(row)) ?? noCounts);
      return { ...row, counts: toCounts(countNames.map((name) => (needed.has(name) ? counts[name] : 0))) };
    })
    .filter(({ counts }) => counts.visits > 0 || isTotal);
  return { rows, totalRows: rows.length };
}
