import type { Filter, Key } from '@trackside/contract/stats/questions.ts';
import type { Fault } from '#api/fault.ts';
import { useNames } from '#format/names.ts';
import { useAnswer } from '../../ask/use-answer.ts';
import type { BarItem } from '../bar-list.tsx';
import { listQuestion } from '../list/list-question.ts';
import { toItems } from '../list/to-items.tsx';

export type EventRows = {
  rows: BarItem[] | undefined;
  fault: Fault | undefined;
  isBusy: boolean;
  retry: () => void;
};

/** Events, or their parameters, by how often they came. Without a key, nothing is asked. */
export function useEventRows(key: Key | undefined, filters: readonly Filter[], limit: number): EventRows {
  const names = useNames();
  const { answer, fault, isBusy, retry } = useAnswer('query', (view, period) =>
    key === undefined
      ? undefined
      : listQuestion({ key, metrics: ['events'] }, view, period, { limit, filters }),
  );
  const rows =
    key === undefined || answer === undefined
      ? undefined
      : toItems(answer.rows, { key, metric: 'events', names, domain: '' });
  return { rows, fault: rows === undefined ? fault : undefined, isBusy, retry };
}
