import { drainLoader, type RemovalParts } from './removal-parts.ts';
import { retryWhileStoreAway } from './retry-while-store-away.ts';

export type Deletion = {
  state: 'running' | 'done' | 'failed';
  deletedRecords: number;
  /** The number of records when the deletion began, or when it continued after a restart. */
  allRecords: number;
};

type Options = RemovalParts & {
  /** Writes down the usage of contingents, so that none of it is written after the website is gone. */
  checkpointUsage: () => Promise<void>;
  /** Whether this node is the one that removes. If it is left out, it is. */
  isOwner?: () => boolean;
  onProgress?: (id: number, deletion: Deletion) => void;
};

/** Nobody waits for it. */
const patienceMs = 5 * 60_000;
const againAfterMs = 60_000;
/** If anything is left after that, someone is still writing it, and another round wouldn't help. */
const maxRounds = 5;

/**
 * Deletes websites with all of their data: those that were asked for, and those that a process left
 * unfinished.
 */
export function runDeletions(options: Options) {
  const { control, websiteCache, store, days, clock, log, signal } = options;
  const patiently = retryWhileStoreAway({ clock, patienceMs, signal });
  const deletions = new Map<number, Deletion>();
  const running = new Map<number, Promise<void>>();
  const failedAtMs = new Map<number, number>();

  function tell(id: number, change: Partial<Deletion>): void {
    const deletion = {
      state: 'running' as const,
      deletedRecords: 0,
      allRecords: 0,
      ...deletions.get(id),
      ...change,
    };
    deletions.set(id, deletion);
    options.onProgress?.(id, deletion);
  }

  /** The website's row goes last. While it is there, a deletion that was interrupted is done again. */
  async function remove(id: number): Promise<void> {
    const website = store.ofWebsite(id);
    await drainLoader(options);
    const known = websiteCache.list().find((entry) => entry.id === id);
    if (known?.deletingSince === null) throw new Error(`website ${id}: expected its deletion to have begun`);
    const domain = known?.domain ?? `website ${id}`;
    const allRecords = await patiently(() => website.countRecords('all'));
    tell(id, { state: 'running', deletedRecords: 0, allRecords });
    const onLeft = (left: number) => tell(id, { deletedRecords: Math.max(0, allRecords - left) });
    for (let round = 1; ; round += 1) {
      await patiently(() => website.removeRecords('all', { onLeft }));
      const tables = await days.inTurn(() => patiently(() => website.removeDays('all')));
      // A question that was running may have caused days to be built in the meantime.
      if (tables === 0 && (await patiently(() => website.countRecords('all'))) === 0) break;
      if (round === maxRounds) throw new Error('rows of the website keep coming into the store');
    }
    await options.checkpointUsage();
    const detail = { records: allRecords };
    const entry = {
      actor: 'server',
      action: 'website.deleted',
      websiteId: id,
      subject: domain,
      detail,
    } as const;
    await control.transact(async (changes) => ({
      result: await changes.deletions.finish(id),
      entries: [entry],
    }));
    tell(id, { state: 'done', deletedRecords: allRecords });
    log.info({ website: id, records: allRecords }, 'deleted a website with all of its data');
    await websiteCache
      .refresh()
      .catch((error: unknown) =>
        log.error({ err: error }, 'cannot read the websites again after a deletion'),
      );
  }

  function run(id: number): Promise<void> {
    const known = running.get(id);
    if (known !== undefined) return known;
    const work = remove(id)
      .catch((error: unknown) => {
        failedAtMs.set(id, clock.monotonicMs());
        tell(id, { state: 'failed' });
        if (!signal.aborted)
          log.error({ err: error, website: id }, 'a website could not be deleted: trying again in a minute');
      })
      .finally(() => running.delete(id));
    running.set(id, work);
    return work;
  }

  return {
    /** Begins a deletion that is written down. Returns when the website's keys no longer work. */
    async begin(id: number): Promise<Deletion> {
      await websiteCache.refresh();
      tell(id, { state: 'running' });
      if (options.isOwner?.() ?? true) void run(id);
      return deletions.get(id)!;
    },
    /** Also known for a website that is gone, until the process ends. */
    progress: (id: number): Deletion | undefined => deletions.get(id),
    /** Settles when no deletion is running anymore. */
    async ended(): Promise<void> {
      await Promise.all(running.values());
    },
    /** Continues the deletions that were begun. */
    catchUp(): void {
      for (const { id, deletingSince } of websiteCache.list()) {
        const isRecent =
          clock.monotonicMs() - (failedAtMs.get(id) ?? Number.NEGATIVE_INFINITY) < againAfterMs;
        if (deletingSince === null || isRecent || signal.aborted) continue;
        if (!running.has(id)) tell(id, { state: 'running' });
        void run(id);
      }
    },
  };
}
