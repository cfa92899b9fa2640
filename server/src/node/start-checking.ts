import { setTimeout as delay } from 'node:timers/promises';
import type { DamageLog } from '../damage/damage-log.ts';
import { describeGap } from '../damage/journal-gap.ts';
import { localDisk } from '../files/disk.ts';
import { readPastFaults } from '../files/read-past-faults.ts';
import type { Journal } from '../journal/open-journal.ts';
import { readAllFrames } from '../journal/read-frames.ts';
import { partDamageId } from '../loader/mend-part.ts';
import type { Loader } from '../loader/start-loader.ts';
import type { Log } from '../log.ts';
import { isBefore, type JournalPosition } from '../records/journal-position.ts';
import type { Store } from '../store/open-store.ts';

type Options = {
  journal: Pick<Journal, 'folder' | 'segments'>;
  batchedTo: () => JournalPosition;
  /** Undefined if the files of the store aren't ours to check. */
  store: Pick<Store, 'listParts' | 'checkPart' | 'countDamageMet'> | undefined;
  loader: Pick<Loader, 'mend'>;
  isEngineReady: () => boolean;
  damage: Pick<DamageLog, 'report' | 'settle'>;
  log: Log;
  stepMs: number;
  /**
   * After a check, the rest takes this many times as long as the check did, so that checks use a few percent
   * of a disk at most.
   */
  restTimes: number;
};

/** Totals since the start. */
export type CheckProgress = { parts: number; journalBytes: number; rounds: number };

const sliceBytes = 4 * 1024 * 1024;
const mostRestMs = 60_000;
const repairing = 'the server repairs it automatically; check the disk';
const askMs = 10_000;
const stopWithinMs = 500;
const noSuchDatabase = '81';
/** The rest between two complete rounds: a small store is read through in seconds. */
const roundRest = { leastMs: 600_000, times: 50, mostMs: 86_400_000 };

/**
 * Reads through the store and the journal, a part or a slice at a time, and compares everything with its
 * checksums. Damage must be found while the other copy still exists.
 */
export function startChecking(options: Options) {
  const { journal, store, loader, damage, log, stepMs } = options;
  const disk = readPastFaults(localDisk);
  const progress: CheckProgress = { parts: 0, journalBytes: 0, rounds: 0 };
  let isStopped = false;
  let running: Promise<void> = Promise.resolve();
  let timer = setTimeout(begin, stepMs).unref();
  let steps: AsyncGenerator<void> | undefined;
  let busyMs = 0;
  let restUntilMs = 0;
  let damageMet = 0;
  let askAgainMs = 0;

  function begin(): void {
    running = run();
  }

  async function run(): Promise<void> {
    let restMs = stepMs;
    try {
      if (options.isEngineReady() && (performance.now() >= restUntilMs || (await isDamageMet()))) {
        const startedMs = performance.now();
        steps ??= round();
        if ((await steps.next()).done) steps = undefined;
        const tookMs = performance.now() - startedMs;
        busyMs += tookMs;
        restMs = Math.min(mostRestMs, Math.max(stepMs, options.restTimes * tookMs));
      }
    } catch (error) {
      // A generator ends when it throws, so the next round starts from the beginning.
      steps = undefined;
      // The store is new, and the loader is about to create its tables.
      const isNew = error instanceof Error && 'code' in error && error.code === noSuchDatabase;
      restMs = isNew ? stepMs : mostRestMs;
      if (!isStopped && !isNew)
        log.warn({ err: error }, 'part of the data could not be checked: trying again later');
    }
    if (!isStopped) timer = setTimeout(begin, restMs).unref();
  }

  /** If a question fails because of damage, nobody should have to wait for the next round. */
  async function isDamageMet(): Promise<boolean> {
    if (performance.now() < askAgainMs) return false;
    askAgainMs = performance.now() + askMs;
    const times = (await store?.countDamageMet()) ?? 0;
    const isMore = times > damageMet;
    damageMet = times;
    if (isMore) restUntilMs = 0;
    return isMore;
  }

  async function* round(): AsyncGenerator<void> {
    busyMs = 0;
    const parts = (await store?.listParts()) ?? [];
    const ids = new Set(parts.map(partDamageId));
    // These are gone, with a store that was replaced or with days that were too old.
    await damage.settle(({ id, todo }) => todo === repairing && !ids.has(id));
    for (const part of parts) {
      const fault = await store?.checkPart(part);
      progress.parts += 1;
      if (fault !== undefined) {
        const id = partDamageId(part);
        await damage.report({
          id,
          kind: 'store-part' as const,
          says: `part ${part.name} of the table ${part.table} is damaged (${fault.slice(0, 200)})`,
          todo: repairing,
        });
        loader.mend(part);
      }
      yield;
    }
    for (const { number } of [...journal.segments()]) {
      for await (const _ of checkSegment(number)) yield;
    }
    progress.rounds += 1;
    damageMet = (await store?.countDamageMet()) ?? 0;
    const { leastMs, times, mostMs } = roundRest;
    restUntilMs = performance.now() + Math.min(mostMs, Math.max(leastMs, times * busyMs));
  }

  /** Checks only what is loaded. Whatever comes after that is being written, or read by the loader. */
  async function* checkSegment(number: number): AsyncGenerator<void> {
    let at = 0;
    for (;;) {
      const segment = journal.segments().find((candidate) => candidate.number === number);
      if (segment === undefined) return;
      const batchedTo = options.batchedTo();
      const loaded = number === batchedTo.segment ? Math.min(batchedTo.offset, segment.end) : segment.end;
      const end = isBefore({ segment: number, offset: 0 }, batchedTo) ? loaded : 0;
      at = Math.max(at, segment.firstFrame);
      if (at >= end) return;
      const from = at;
      const to = Math.min(end, at + sliceBytes);
      try {
        for await (const { frames } of readAllFrames(journal.folder, number, from, to, disk)) {
          for (const { offset, next } of frames) {
            if (offset > at)
              await damage.report(describeGap({ segment: number, from: at, to: offset }, true));
            at = next;
          }
        }
      } catch (error) {
        // The segment was removed after it was looked up.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
        throw error;
      }
      // A frame can cross the end of a slice, but none is as long as a slice, so nothing in this slice was
      // readable.
      if (at === from || (to === end && at < end)) {
        await damage.report(describeGap({ segment: number, from: at, to }, true));
        at = to;
      }
      progress.journalBytes += at - from;
      yield;
    }
  }

  return {
    progress: (): CheckProgress => progress,
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      // A large part takes long to check, and nothing depends on the result.
      await Promise.race([running, delay(stopWithinMs, undefined, { ref: false })]);
    },
  };
}
