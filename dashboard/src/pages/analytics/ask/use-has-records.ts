import { useState } from 'preact/hooks';
import { usePolling } from '#api/use-polling.ts';
import type { Asker } from './create-asker.ts';

/** `first` means that the first record has just arrived, `unsaid` that the server can't tell now. */
export type HasRecords = 'unknown' | 'unsaid' | 'none' | 'first' | 'some';

/** Tells whether any record was ever counted. Asks until there is one. */
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
      // Records of bots exist, but don't count here.
      const hasSome = (pageViews ?? 0) + (events ?? 0) > 0 || isCertain;
      setState((last) => (hasSome ? (last === 'none' ? 'first' : 'some') : 'none'));
      return true;
    },
    { everyMs: 3_000, slowestMs: 10_000, subject: isSettled ? undefined : 'records' },
  );
  return isCertainFromTheStart ? 'some' : state;
}
