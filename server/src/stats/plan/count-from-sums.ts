import type { Filter } from '@trackside/contract/stats/questions.ts';
import { type CountDays, withVisits } from '../cache/kept-scans.ts';
import type { MissingShares } from '../cache/missing-shares.ts';
import { dimensionOf } from '../question/dimensions.ts';
import { addCounts, countNames, neededCounts, noCounts, toCounts } from '../question/metrics.ts';
import type { Question } from '../question/read-question.ts';
import type { Counted, CountedRow } from '../sql/ask-visits.ts';
import { addUpDays, type DaySums } from './add-up-days.ts';
import { isInRollups } from './is-in-rollups.ts';

type SumSources = DaySums & { missesOf: MissingShares };

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
        addUpDays(sources, store, left, days, signal),
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
