import type { Answers } from '@trackside/contract/stats/answers.ts';
import { showPath } from '#format/show-value.ts';
import { type Answered, useAnswer } from '../../ask/use-answer.ts';
import type { BarItem } from '../bar-list.tsx';
import { wholeDays } from '../whole-days.ts';
import { findPage } from './find-page.ts';

export const pathRows = 6;
export type Neighbours = 'before' | 'after';

/** Asks for the pages before and after the one that the view is filtered by. */
export function usePaths(isWanted: boolean): Answered<'paths'> {
  return useAnswer('paths', ({ filters }, period) => {
    const page = findPage(filters);
    if (!isWanted || page === undefined) return undefined;
    return { period: wholeDays(period), filters, page, steps: 1, limit: pathRows };
  });
}

/** Turns the pages on one side into rows. Their shares are those of all visits of the page. */
export function toRows(
  answer: Answers['paths'] | undefined,
  side: Neighbours,
): { rows: BarItem[] | undefined; total: number | undefined } {
  const step = answer?.[side][0];
  return {
    rows: step?.pages.map(({ page, visits }) => ({ key: page, label: showPath(page), value: visits })),
    total: answer?.visits,
  };
}
