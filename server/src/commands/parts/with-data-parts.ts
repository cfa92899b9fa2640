import { createErasureNoter } from '../../backup/create-erasure-noter.ts';
import type { Control } from '../../control/open-control.ts';
import { openWebsiteCache } from '../../control/websites/website-cache.ts';
import { listWorkerFolders } from '../../files/worker-folders.ts';
import { openLog } from '../../node/open-log.ts';
import type { RemovalParts } from '../../removal/removal-parts.ts';
import { createDayBuilder } from '../../stats/days/day-builder.ts';
import { CommandError, type CommandInput } from '../command.ts';
import { isJournalLoaded } from './is-journal-loaded.ts';
import { readOtherNodes } from './verify-journals.ts';
import { withBuilds } from './with-builds.ts';
import { withStore } from './with-store.ts';

const recordsPerSlice = 200_000;

/**
 * Opens the parts that remove data, for one piece of work. No server may be running, so nothing is loaded in
 * the meantime. `isLoaded` returns whether the store has all records of the journal.
 */
export async function withDataParts<T>(
  input: CommandInput,
  control: Control,
  work: (parts: RemovalParts, isLoaded: () => Promise<boolean>) => Promise<T>,
): Promise<T> {
  const { clock } = input;
  const log = openLog({ level: 'error', isTerminal: false, to: 'stderr' });
  return await withStore(input, async (store, isServerRunning) => {
    if (isServerRunning)
      throw new CommandError('A server was started in the meantime. Run the command again.');
    const websiteCache = await openWebsiteCache({ control, clock, intervalMs: 60_000, settleMs: 0, log });
    const rulesOf = websiteCache.get;
    try {
      return await withBuilds(input, store, { use: 'removing' }, async (builds) => {
        const days = createDayBuilder({ ...builds, clock, log, rulesOf, recordsPerSlice, sharedMs: 0 });
        try {
          const { isWanted } = websiteCache;
          const isShared = input.config.clickhouseUrl !== undefined;
          const isLoaded = async () => {
            // What is only in the journal of another server can't be seen from here.
            const others = await control.nodes.list();
            if (others.some(({ sharesStore, hasLeft }) => sharesStore && !hasLeft)) return false;
            const journals = await listWorkerFolders(input.config.dataDir);
            for (const { worker, journal } of journals) {
              const otherNodes = await readOtherNodes(journals, worker);
              const options = { folder: journal, store, otherNodes, isWanted, patienceMs: 0, isShared };
              if (!(await isJournalLoaded(options))) return false;
            }
            return true;
          };
          const parts = {
            control,
            websiteCache,
            store,
            days,
            clock,
            log,
            noteErasure: createErasureNoter({ control, s3: input.config, clock, log }),
            loader: {
              receivedTo: async () => [],
              isLoadedTo: async () => true,
              batchEnded: async () => {},
            },
            signal: new AbortController().signal,
          };
          return await work(parts, isLoaded);
        } finally {
          await days.stop({ withinMs: 60_000 });
        }
      });
    } finally {
      websiteCache.stop();
    }
  });
}
