import type { Control } from '../../control/open-control.ts';
import { openWebsiteCache } from '../../control/websites/website-cache.ts';
import { openLog } from '../../node/open-log.ts';
import type { DataParts } from '../../removal/removal-parts.ts';
import { createDayBuilder } from '../../stats/days/day-builder.ts';
import { CommandError, type CommandInput } from '../command.ts';
import { readCompleteness } from './read-completeness.ts';
import { withStore } from './with-store.ts';

const recordsPerSlice = 200_000;

/**
 * Opens the parts that remove data, for one piece of work. No server may run, so nothing is loaded meanwhile.
 */
export async function withDataParts<T>(
  input: CommandInput,
  control: Control,
  work: (parts: DataParts) => Promise<T>,
): Promise<T> {
  const { clock } = input;
  const log = openLog({ level: 'error', isTerminal: false, to: 'stderr' });
  return await withStore(input, async (store, isServerRunning) => {
    if (isServerRunning) throw new CommandError('A server was started meanwhile: run the command once more.');
    const websiteCache = await openWebsiteCache({ control, clock, intervalMs: 60_000, settleMs: 0, log });
    const completeMs = await readCompleteness(store, clock);
    const ofDays = { store, clock, log, completeUpToMs: () => completeMs };
    const days = createDayBuilder({ ...ofDays, recordsPerSlice, sharedMs: 0 });
    try {
      return await work({
        control,
        websiteCache,
        store,
        days,
        clock,
        log,
        loader: { batchEnded: async () => {} },
        signal: new AbortController().signal,
      });
    } finally {
      websiteCache.stop();
      await days.stop({ withinMs: 60_000 });
    }
  });
}
