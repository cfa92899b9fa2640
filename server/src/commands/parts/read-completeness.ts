import { existsSync } from 'node:fs';
import { listWorkerFolders } from '../../files/worker-folders.ts';
import { toMs } from '../../journal/payload-start.ts';
import { readSegments } from '../../journal/read-segments.ts';
import { findFirstWaiting } from '../../loader/completeness.ts';
import type { Batch } from '../../loader/ledger-lines.ts';
import { rowsOf } from '../../loader/ledger-state.ts';
import { readLedger } from '../../loader/open-ledger.ts';
import type { Store } from '../../store/open-store.ts';
import type { Clock } from '../../time/clock.ts';

/** A record that was received longer ago says nothing about records that are being loaded now. */
const withinDays = 2;
const withinMs = withinDays * 86_400_000;
const nothingLoaded = {
  node: '',
  batches: new Map<number, Batch>(),
  verified: new Set<number>(),
  batchedTo: { segment: 0, offset: 0 },
};

/**
 * Returns a time by which everything that was received is in the store. A command knows nothing of what is
 * being loaded, but each worker loads its records in the order in which they were received.
 */
export async function readCompleteness(
  store: Pick<Store, 'query'>,
  dataDir: string,
  clock: Clock,
): Promise<number> {
  const nowMs = clock.now();
  const rows = await store.query<{ node: string; latest_ms: number }>({
    query: `
      select node, toUnixTimestamp64Milli(max(received_at)) as latest_ms
      from records
      where day >= toDate(fromUnixTimestamp64Milli({now:Int64}), 'UTC') - {days:UInt32}
      group by node`,
    params: { now: nowMs, days: withinDays },
  });
  const latestOf = new Map(rows.map(({ node, latest_ms }) => [node, Number(latest_ms)]));
  let completeMs = rows.length === 0 ? nowMs : Math.max(...latestOf.values());
  for (const { journal } of await listWorkerFolders(dataDir)) {
    const waiting = await readWaiting(journal, latestOf);
    // What nobody has loaded for days isn't going to be loaded, and must not hold this back forever.
    if (waiting === undefined || waiting.firstMs < nowMs - withinMs) continue;
    completeMs = Math.min(completeMs, Math.max(waiting.firstMs - 1, waiting.latestMs));
  }
  return completeMs;
}

/** Finds the first record of a worker that may not be in the store, and the latest that is. */
async function readWaiting(folder: string, latestOf: ReadonlyMap<string, number>) {
  if (!existsSync(folder)) return undefined;
  const ledger = (await readLedger(folder)) ?? nothingLoaded;
  const latestMs = latestOf.get(ledger.node) ?? 0;
  const segments = await readSegments(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EIO') throw error;
    return undefined;
  });
  // What the disk can't read may be waiting. The server reads past it, and reports it.
  if (segments === undefined) return { firstMs: latestMs + 1, latestMs };
  // A worker verifies its batches only once in a while.
  const isInStore = (batch: Batch) => rowsOf(batch) === 0 || toMs(batch.lastReceivedAt) <= latestMs;
  const batches = new Map([...ledger.batches].filter(([, batch]) => !isInStore(batch)));
  const firstMs = await findFirstWaiting(folder, segments, { ...ledger, batches });
  return firstMs === undefined ? undefined : { firstMs, latestMs };
}
