import type { CountDays } from '../cache/kept-scans.ts';
import { isTop } from '../question/read-question.ts';
import { lessReturns } from '../sql/ask-returns.ts';
import { askRollups } from '../sql/ask-rollups.ts';
import type { LooksOf } from '../sql/kept-looks.ts';
import { addUpDays, type DaySums } from './add-up-days.ts';

/**
 * Counts visitors of several days by adding up the days, on a website with ClientIds, and subtracts those who
 * came on several of them. If it isn't known yet who did, totals are counted from the sets of visitors that
 * are kept of each day, and lists from the visits.
 */
export function countReturning(sources: DaySums & { looksOf: LooksOf }): CountDays {
  return async (store, questions, days, signal, scan) => {
    const of = store.withSignal(signal);
    const addUp = () => addUpDays(sources, store, questions, days, signal);
    const counted = await lessReturns(of, questions, days, sources.looksOf, addUp);
    if (counted !== undefined) return counted;
    const lists = questions.filter(isTop);
    const ofLists = lists.length === 0 ? [] : scan(store, lists, days, signal);
    return await Promise.all(
      questions.map(async (question) =>
        isTop(question)
          ? (await ofLists)[lists.indexOf(question)]!
          : await askRollups(of, question, days, true),
      ),
    );
  };
}
