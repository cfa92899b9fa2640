import { useState } from 'preact/hooks';
import { usePolling } from '#api/use-polling.ts';
import type { Asker } from './create-asker.ts';

/** `first`: the first one has just come. `unsaid`: it cannot be told now. */
export type HasRecords = 'unknown' | 'unsaid' | 'none' | 'first' | 'some';

/** Whether any record was ever counted; asked until one is. */
export function useHasRecords(asker: Asker, isCertain: boolean): HasRecords {
  const [state, setState] = useState<HasRecords>('unknown');
  const isCertainFromTheStart = isCertain && (state === 'unknown' || state === 'unsaid');
  const isSettled = isCertainFromTheStart || state === 'first' || state === 'some';
  usePolling(
    async (signal) => {
      const answer = await asker.ask('query', { period: 'all', metrics: ['pageViews', 'events'] }, signal);
      if (!answer.isOk) {
        setState((last) => (last === 'unknown' ? 'unsaid' : last));
        return false;
      }
      const { pageViews = 0, events = 0 } = answer.value.rows[0]?.metrics ?? {};
      // Of bots there are records, though no numbers.
      const hasSome = (pageViews ?? 0) + (events ?? 0) > 0 || isCertain;
      setState((last) => (hasSome ? (last === 'none' ? 'first' : 'some') : 'none'));
      return true;
    },
    { everyMs: 3_000, slowestMs: 10_000, subject: isSettled ? undefined : 'records' },
  );
  return isCertainFromTheStart ? 'some' : state;
}
