import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Erasure } from '../control/privacy/erasures.ts';
import { websiteNotFound } from '../control/websites/website-row.ts';
import { visitorOfClient } from '../intake/steps/identify.ts';
import { toStatsFault } from '../stats/faults.ts';
import type { ExportOptions } from '../store/export-records.ts';
import type { RemovalParts } from './removal-parts.ts';
import { type Deletion, runDeletions } from './run-deletions.ts';
import { runErasures, untilErased } from './run-erasures.ts';
import { type RetentionRun, runRetention } from './run-retention.ts';

export type Removals = {
  /** Returns the visitor that a website's backend identifies by this ClientId. */
  visitorOf(websiteId: number, clientId: string): string;
  /**
   * Carries out an erasure that is written down, on all days. Returns the number of records that the store
   * had. Throws StoreAway if the store doesn't answer for long. The erasure is then finished later.
   */
  erase(erasure: Erasure): Promise<{ records: number }>;
  /** One JSON object per line, in the format of an export. The stream fails if records are missing. */
  exportPerson(websiteId: number, clientId: string, options?: { signal?: AbortSignal }): Promise<Readable>;
  /** The records of a website, or of some of its days, as a file. The stream fails if records are missing. */
  exportRecords(websiteId: number, options: ExportOptions): Promise<Readable>;
  /** Carries out a deletion that is written down. Returns when the website's keys no longer work. */
  deleteWebsite(id: number): Promise<Deletion>;
  /** Also known for a website that is gone, until the process ends. */
  deletion(id: number): Deletion | undefined;
  /**
   * The last time that records of the website were removed because of their age. Undefined before the first
   * time since the start.
   */
  lastRetention(websiteId: number): RetentionRun | undefined;
  /** Gives up running work after a while. It is finished after the next start. */
  stop(options: { withinMs: number }): Promise<void>;
};

export type RemovalOptions = Omit<RemovalParts, 'signal'> & {
  /** The time of the oldest records that the journal holds. */
  journalHoldsFromMs: () => number;
  checkpointUsage: () => Promise<void>;
  isStoreReady: () => boolean;
  /** Whether this node is the one that removes. The others wait for it. If it is left out, it is. */
  isOwner?: () => boolean;
  clockSettleMs: number;
  intervalMs: number;
};

/**
 * Records get their time of receipt before they are written, so it can be a little earlier than their
 * segment.
 */
const marginMs = 60 * 60_000;

/** Runs erasures, deletions and retention. */
export function startRemovals(options: RemovalOptions): Removals {
  const { websiteCache, store, isStoreReady, isOwner = () => true } = options;
  const stopping = new AbortController();
  const parts = { ...options, signal: stopping.signal };
  const erasures = runErasures(parts);
  const deletions = runDeletions(parts);
  const retention = runRetention({ ...parts, settleMs: options.clockSettleMs });
  const loops = [
    repeat(() => erasures.catchUp().then(() => erasures.clear(options.journalHoldsFromMs() - marginMs))),
    repeat(async () => deletions.catchUp()),
    repeat(() => retention.catchUp()),
  ];

  /** Each continues while another one takes long. */
  async function repeat(work: () => Promise<void>): Promise<void> {
    const { log, intervalMs } = options;
    while (!stopping.signal.aborted) {
      await delay(intervalMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {});
      if (stopping.signal.aborted || !isStoreReady() || !isOwner()) continue;
      await work().catch((error: unknown) =>
        log.error({ err: error }, 'data that is due for removal could not be removed'),
      );
    }
  }

  function visitorOf(websiteId: number, clientId: string): string {
    const website = websiteCache.get(websiteId);
    if (website === undefined) throw websiteNotFound(websiteId);
    return visitorOfClient(website, clientId);
  }

  async function exportRecords(websiteId: number, wanted: ExportOptions): Promise<Readable> {
    try {
      return await store.ofWebsite(websiteId).exportRecords(wanted);
    } catch (error) {
      throw toStatsFault(error);
    }
  }

  return {
    visitorOf,
    erase: (erasure) => (isOwner() ? erasures.erase(erasure) : untilErased(parts, erasure)),
    async exportPerson(websiteId, clientId, { signal } = {}) {
      const visitorId = visitorOf(websiteId, clientId);
      return await exportRecords(websiteId, { format: 'ndjson', visitorId, signal });
    },
    exportRecords,
    deleteWebsite: (id) => deletions.begin(id),
    deletion(id) {
      const own = deletions.progress(id);
      // What another node removes shows only when the website is gone.
      const isGone = own?.state === 'running' && !websiteCache.list().some((website) => website.id === id);
      return isGone && !isOwner() ? { ...own, state: 'done' } : own;
    },
    lastRetention: (websiteId) => retention.lastRun(websiteId),
    async stop({ withinMs }) {
      stopping.abort();
      const ended = Promise.all([...loops, deletions.ended()]);
      await Promise.race([ended, delay(withinMs, undefined, { ref: false })]);
    },
  };
}
