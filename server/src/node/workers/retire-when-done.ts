import type { Contingent } from '../../intake/contingent/contingent.ts';
import type { Log } from '../../log.ts';
import { repeat } from '../repeat.ts';

const lookMs = 1_000;

/**
 * A retired worker ends when its journal is empty, and all that it counted is written down. While control is
 * away, it waits.
 */
export function retireWhenDone(options: {
  isJournalEmpty: () => boolean;
  contingent: Pick<Contingent, 'checkpoint' | 'giveBack'>;
  onRetired: () => void;
  log: Log;
}): { stop(): Promise<void> } {
  const { isJournalEmpty, contingent, onRetired, log } = options;
  let hasRetired = false;
  return repeat({
    intervalMs: lookMs,
    async work() {
      if (hasRetired || !isJournalEmpty()) return;
      await contingent.checkpoint();
      await contingent.giveBack(0);
      hasRetired = true;
      onRetired();
    },
    log,
    failure: 'cannot save the monthly usage of a worker that has nothing left: trying again',
  });
}
