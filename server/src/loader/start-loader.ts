import { setTimeout as delay } from 'node:timers/promises';
import { ClickHouseError } from '@clickhouse/client';
import type { DamageLog } from '../damage/damage-log.ts';
import { describeGap } from '../damage/journal-gap.ts';
import { segmentVanished } from '../journal/journal-damage.ts';
import type { Journal } from '../journal/open-journal.ts';
import type { Log } from '../log.ts';
import { isBefore, type JournalPosition } from '../records/journal-position.ts';
import type { IsWanted } from '../records/wanted-row.ts';
import type { Store } from '../store/open-store.ts';
import type { StorePart } from '../store/parts.ts';
import type { Clock } from '../time/clock.ts';
import { alignLedger } from './align-ledger.ts';
import { BatchBody } from './batch-body.ts';
import { type Comparison, compareBatches, type Difference } from './compare-batches.ts';
import { toMs } from './journal-row.ts';
import type { Batch } from './ledger-lines.ts';
import { rowsOf } from './ledger-state.ts';
import { loadReadable } from './load-readable.ts';
import { mendPart, partDamageId, reportBrokenParts } from './mend-part.ts';
import type { Ledger } from './open-ledger.ts';
import { bytesBehind, nextStretch, readBatch } from './read-batch.ts';

/** What the loader asks of the store. */
export type LoadedStore = Pick<
  Store,
  | 'uuid'
  | 'migrate'
  | 'insertBatch'
  | 'countBatches'
  | 'deleteBatches'
  | 'listKeys'
  | 'lastBatch'
  | 'finishSalvage'
  | 'salvagePart'
  | 'dropSums'
  | 'listBrokenParts'
  | 'listParts'
>;

export type LoaderOptions = {
  journal: Journal;
  ledger: Ledger;
  store: LoadedStore;
  /** The process that runs the INSERTs: after one of unknown outcome it is restarted, so that nothing of it goes on. */
  engine: {
    isReady(): boolean;
    generation(): number;
    /** Whether rows may be missing that the store once had. */
    hasBrokenParts(): boolean;
    restart(reason: string): Promise<void>;
  };
  /** Asked for every row at the moment that it is read; what it says may change. */
  isWanted: IsWanted;
  /** Where what cannot be read is remembered. */
  damage: Pick<DamageLog, 'report' | 'settle'>;
  clock: Clock;
  log: Log;
  intervalMs: number;
  maxRows: number;
  maxBytes: number;
};

export type LoaderState = {
  loadedRows: number;
  insertedBatches: number;
  unverifiedBatches: number;
  lagMs: number;
  lastError: string | undefined;
  storeUuid: string | undefined;
  /** Bytes of the journal that are in no batch yet. */
  waitingBytes: number;
  /** Batches that have to be compared with the store, after a start, and with another store. */
  toCompareBatches: number;
  /** What of these the store does not have, and is loaded again. */
  toLoadAgain: { batches: number; records: number };
};

export type Loader = ReturnType<typeof startLoader>;

const backOffMs = { first: 250, most: 10_000 };
const verifyIntervalMs = 60_000;

/** Brings the journal's records into the store, in batches that are known by their counts. */
export function startLoader(options: LoaderOptions) {
  const { journal, ledger, store, engine, damage, clock, log } = options;
  const limits = { maxRows: options.maxRows, maxBytes: options.maxBytes };
  const stopping = new AbortController();
  const counters = { loadedRows: 0, insertedBatches: 0 };
  /** Damaged parts of the store that wait to be mended. */
  const damagedParts: StorePart[] = [];
  /** Those of which the records are not compared yet. */
  const mendedParts: StorePart[] = [];
  let preparedGeneration = -1;
  let mustCompareAll = true;
  let lastError: string | undefined;
  let loggedError: string | undefined;
  let pauseMs = backOffMs.first;
  let toCompareBatches = ledger.state.batches.size;
  let toLoadAgain = { batches: 0, records: 0 };
  /** What waits was received after the later of these two: the last batch, and the last time that nothing waited. */
  let batchedUpToMs = 0;
  let nothingWaitedAtMs = clock.now();
  let verifiedAtMs = clock.monotonicMs();
  let wake: (() => void) | undefined;
  let oldestInFlightMs: number | undefined;
  let insertBody = new BatchBody();
  /** Settles when the batch that is being read and inserted has ended, one way or the other. */
  let batchUnderWay: Promise<void> = Promise.resolve();

  const batches = (): Batch[] => [...ledger.state.batches.values()];
  const unverified = (): Batch[] => batches().filter(({ batch }) => !ledger.state.verified.has(batch));
  const stretch = () => nextStretch(journal.segments(), ledger.state.batchedTo);

  /** After every start of the engine: the schema, whose store it is, and what of the last batches arrived. */
  async function prepare(generation: number): Promise<void> {
    await store.migrate();
    const uuid = await store.uuid();
    if (uuid !== ledger.state.storeUuid) {
      if (ledger.state.storeUuid !== undefined) {
        log.warn(
          { store: uuid, before: ledger.state.storeUuid },
          'another store: loading all that the journal holds',
        );
      }
      await ledger.setStore(uuid);
      mustCompareAll = true;
    }
    await store.finishSalvage();
    const { isWanted } = options;
    const { maxRows } = limits;
    const counted = mustCompareAll
      ? await alignLedger({ journal, ledger, store, isWanted, maxRows, log })
      : undefined;
    if (engine.hasBrokenParts()) await reportBrokenParts({ journal, ledger, store, damage, log });
    await reconcile(mustCompareAll || engine.hasBrokenParts() ? batches() : unverified(), counted);
    mustCompareAll = false;
    preparedGeneration = generation;
  }

  /** Counts the batches and loads again what differs, until nothing does. */
  async function reconcile(suspects: Batch[], counted?: Comparison): Promise<void> {
    let remaining = suspects;
    let known = counted;
    toCompareBatches = suspects.length;
    for (let round = 0; remaining.length > 0; round += 1) {
      // What is expected of a batch may have been changed in the round before.
      remaining = remaining.map((batch) => ledger.state.batches.get(batch.batch) ?? batch);
      if (round === 5) throw new Error(`batch ${remaining[0]!.batch} still differs after ${round} attempts`);
      const { same, different } = known ?? (await compareBatches(store, ledger.node, remaining));
      known = undefined;
      await ledger.markVerified(same.map(({ batch }) => batch));
      remaining = [...new Set(different.map(({ batch }) => batch))];
      lastError = undefined;
      toCompareBatches = remaining.length;
      const sumOf = (list: Batch[]) => list.reduce((sum, batch) => sum + rowsOf(batch), 0);
      toLoadAgain = { batches: remaining.length, records: sumOf(remaining) };
      for (const batch of remaining) {
        ledger.unmarkVerified(batch.batch);
        const ofBatch = different.filter((difference) => difference.batch === batch);
        const isSame = await asOneBatch(() => loadAgain(batch, ofBatch));
        toLoadAgain = { batches: toLoadAgain.batches - 1, records: toLoadAgain.records - rowsOf(batch) };
        if (!isSame) continue;
        remaining = remaining.filter((other) => other !== batch);
        await ledger.markVerified([batch.batch]);
      }
    }
    toCompareBatches = 0;
    toLoadAgain = { batches: 0, records: 0 };
  }

  function asOneBatch<T>(work: () => Promise<T>): Promise<T> {
    const done = work();
    batchUnderWay = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  /** Replaces the partitions of a batch that differ; true when they only lack rows that are not wanted any more. */
  async function loadAgain(batch: Batch, differences: Difference[]): Promise<boolean> {
    const onlyMonths = new Set(differences.map(({ month }) => month));
    const segment = journal.segments().find(({ number }) => number === batch.segment);
    if (segment === undefined) {
      // What the store has of it is all there is.
      log.error({ batch: batch.batch }, 'a batch is not whole in the store, and its segment is gone');
      await damage.report(segmentVanished(batch.segment));
      return true;
    }
    const { columns } = segment;
    const { body, rows, entry, leftOut } = await readBatch({
      ...{ folder: journal.folder, node: ledger.node, batch: batch.batch, columns, onlyMonths },
      ...{ segment: batch.segment, from: batch.from, to: batch.to, isWanted: options.isWanted },
      limits: { maxRows: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER },
      into: insertBody,
    });
    // Rows that the journal does not have any more are not rows that are not wanted any more.
    const isShort = differences.some(
      ({ month, expected }) => (entry.months[month] ?? 0) + leftOut < expected,
    );
    if (isShort) {
      await loadReadable(
        { journal, ledger, store, damage, isWanted: options.isWanted, insert },
        batch,
        differences,
      );
      return false;
    }
    if (differences.every(({ month, found }) => (entry.months[month] ?? 0) === found)) return true;
    for (const { month, expected, found } of differences) {
      log.warn(
        { batch: batch.batch, month, expected, found },
        'a batch is not whole in the store: loading it again',
      );
      if (found > 0)
        await store.deleteBatches({ node: ledger.node, batches: [batch.batch], month: Number(month) });
    }
    if (rows > 0) await insert(batch.batch, columns, body, rows);
    return false;
  }

  async function insert(
    batch: number,
    columns: readonly string[],
    body: Buffer,
    rows: number,
  ): Promise<void> {
    const generation = engine.generation();
    try {
      const queryId = `${ledger.node}-${batch}-${clock.now().toString(36)}`;
      await store.insertBatch({ columns: ['node', 'batch', ...columns], body, rows, queryId });
      lastError = undefined;
      counters.insertedBatches += 1;
      counters.loadedRows += rows;
    } catch (error) {
      preparedGeneration = -1;
      // The connection may not have let go of it yet.
      insertBody = new BatchBody();
      // An answer in ClickHouse's words means that the INSERT has ended. Anything else leaves that open.
      if (!(error instanceof ClickHouseError) && engine.isReady() && engine.generation() === generation) {
        await engine.restart(`the outcome of batch ${batch} is unknown`);
      }
      throw error;
    }
  }

  /** Loads one batch; false when there is nothing to load. */
  async function loadNext(): Promise<boolean> {
    const next = stretch();
    if (next === undefined) return false;
    const { columns, segment, from, to } = next;
    const batch = ledger.state.lastBatch + 1;
    const read = await readBatch({
      ...{ folder: journal.folder, node: ledger.node, batch, columns, segment, from, to, limits },
      isWanted: options.isWanted,
      into: insertBody,
    });
    const { entry } = read;
    if (entry.to === from) {
      if (segment === journal.durable().segment) return false;
      // Nothing readable up to the end of a finished segment: step over it, so that later records are not held up.
      entry.to = to;
      read.gaps.push({ from, to });
    }
    for (const gap of read.gaps) await damage.report(describeGap({ segment, ...gap }, false));
    if (read.leftOut > 0) {
      log.info(
        { batch, records: read.leftOut },
        'left out records that are not wanted: their website is gone, they were erased, or they are too old',
      );
    }
    await ledger.addBatch(entry);
    if (read.rows > 0) {
      oldestInFlightMs = toMs(entry.firstReceivedAt);
      try {
        await insert(batch, columns, read.body, read.rows);
      } finally {
        oldestInFlightMs = undefined;
      }
      batchedUpToMs = toMs(entry.lastReceivedAt);
    }
    return stretch() !== undefined;
  }

  async function step(): Promise<void> {
    const generation = engine.generation();
    // First, because a question about what is there may fail for it. Each is tried once: one that cannot be mended must not
    // keep records from being loaded.
    for (let part = damagedParts.shift(); part !== undefined; part = damagedParts.shift()) {
      preparedGeneration = -1;
      mustCompareAll = true;
      const damaged = part;
      await asOneBatch(() => mendPart({ journal, ledger, store, damage, log }, damaged));
      mendedParts.push(damaged);
    }
    if (generation !== preparedGeneration) await prepare(generation);
    for (let part = mendedParts.shift(); part !== undefined; part = mendedParts.shift()) {
      const mendedId = partDamageId(part);
      await damage.settle(({ id }) => id === mendedId);
    }
    while (await asOneBatch(loadNext)) {
      if (stopping.signal.aborted || engine.generation() !== generation) return;
      if (waitingBytes() < limits.maxBytes / 8) break;
    }
    if (clock.monotonicMs() - verifiedAtMs > verifyIntervalMs) {
      verifiedAtMs = clock.monotonicMs();
      await reconcile(unverified());
    }
  }

  /** Bytes that wait behind the last batch: a full batch's worth is loaded at once, less waits for the interval. */
  function waitingBytes(): number {
    const next = stretch();
    return next === undefined ? 0 : next.to - next.from;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (engine.isReady()) {
        try {
          await step();
          lastError = undefined;
          loggedError = undefined;
          pauseMs = backOffMs.first;
          if (stretch() === undefined) nothingWaitedAtMs = clock.now();
        } catch (error) {
          const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
          if (isGone && (await journal.dropVanished()) > 0) continue;
          const message = error instanceof Error ? error.message : String(error);
          if (message !== loggedError) log.error({ err: error }, 'loading failed: trying again');
          lastError = message;
          loggedError = message;
          const forMs = pauseMs;
          pauseMs = Math.min(pauseMs * 2, backOffMs.most);
          await pause(forMs);
          continue;
        }
      }
      await pause(engine.isReady() ? options.intervalMs : backOffMs.first);
    }
  }

  async function pause(ms: number): Promise<void> {
    const woken = new AbortController();
    wake = () => woken.abort();
    await delay(ms, undefined, { signal: AbortSignal.any([stopping.signal, woken.signal]) }).catch(() => {});
    wake = undefined;
  }

  /** At most the age of the oldest record that is not in the store yet. */
  function lagMs(): number {
    const isWaiting = stretch() !== undefined;
    if (oldestInFlightMs === undefined && !isWaiting) return 0;
    const oldestMs = oldestInFlightMs ?? Math.max(batchedUpToMs, nothingWaitedAtMs);
    return Math.max(0, clock.now() - oldestMs);
  }

  const running = run();

  return {
    /** Everything before this place is loaded, and counted in the store. */
    isVerifiedTo(position: JournalPosition): boolean {
      // What the ledger says is about the store that was counted last. Until the one that runs now was, and while none
      // does, the journal may be the only copy.
      if (!engine.isReady() || preparedGeneration !== engine.generation()) return false;
      const open = unverified()[0];
      const reached =
        open === undefined ? ledger.state.batchedTo : { segment: open.segment, offset: open.from };
      return !isBefore(reached, position);
    },
    /**
     * Settles when no row that was read before now is on its way into the store any more. Who changes what is wanted and
     * then waits for this can delete the rest from the store: nothing comes in behind.
     */
    batchEnded: (): Promise<void> => batchUnderWay,
    /** Repairs a part of the store that was found damaged, between two batches. */
    mend(part: StorePart): void {
      const isKnown = damagedParts.some(({ table, name }) => table === part.table && name === part.name);
      if (!isKnown) damagedParts.push(part);
      wake?.();
    },
    /** There is a new engine: what failed with the one before is worth an attempt at once. */
    retryNow(): void {
      pauseMs = backOffMs.first;
      wake?.();
    },
    verifyNow(): void {
      verifiedAtMs = Number.NEGATIVE_INFINITY;
      wake?.();
    },
    state: (): LoaderState => ({
      ...counters,
      unverifiedBatches: ledger.state.batches.size - ledger.state.verified.size,
      lagMs: lagMs(),
      lastError,
      storeUuid: ledger.state.storeUuid,
      waitingBytes: bytesBehind(journal.segments(), ledger.state.batchedTo),
      toCompareBatches,
      toLoadAgain,
    }),
    /** Loads what is there and stops; gives up when the store does not answer within the time. */
    async stop({ withinMs }: { withinMs: number }): Promise<void> {
      stopping.abort();
      const finish = async () => {
        await running;
        if (engine.isReady() && preparedGeneration === engine.generation())
          while (await asOneBatch(loadNext));
      };
      await Promise.race([finish().catch(() => {}), delay(withinMs, undefined, { ref: false })]);
    },
  };
}
