import { AssertionError } from 'node:assert';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { isBefore, type JournalPosition } from '../records/journal-position.ts';
import { recordColumns } from '../records/record-columns.ts';
import type { StorePart } from '../store/parts.ts';
import { alignLedger } from './align-ledger.ts';
import { BatchInserter } from './batch-inserter.ts';
import type { Comparison, Difference } from './compare-batches.ts';
import { createCompleteness } from './completeness.ts';
import { assertVisitorIsFound } from './journal-row.ts';
import type { Batch } from './ledger-lines.ts';
import { rowsOf } from './ledger-state.ts';
import { loadAgain } from './load-again.ts';
import { loadNextBatch } from './load-next-batch.ts';
import { createLoadedNews } from './loaded-news.ts';
import type { LoaderOptions } from './loader-options.ts';
import { LoaderProgress, type LoaderState } from './loader-progress.ts';
import { createLoaderRests } from './loader-rests.ts';
import { mendPart, reportLost } from './mend-part.ts';
import { createMendingTurn } from './mending-turn.ts';
import { createPartMending } from './part-mending.ts';
import { bytesBehind, nextStretch } from './read-batch.ts';
import { reconcileBatches } from './reconcile-batches.ts';

export type Loader = ReturnType<typeof startLoader>;

const backOffMs = { first: 250, most: 10_000 };
const verifyIntervalMs = 60_000;
/** Batches without rows have no month, so all of the store is searched for rows that shouldn't be there. */
const verifyEmptyIntervalMs = 60 * 60_000;

/** Brings the journal's records into the store, in batches that are verified by counting their rows. */
export function startLoader(options: LoaderOptions) {
  const { journal, ledger, store, engine, isWanted, clock, log } = options;
  assertVisitorIsFound(recordColumns);
  const limits = { maxRows: options.maxRows, maxBytes: options.maxBytes };
  const stopping = new AbortController();
  const progress = new LoaderProgress(clock, ledger.state.batches.size);
  const completeness = createCompleteness({ journal, ledger });
  const news = createLoadedNews(options.waits, options.damage);
  const { damage } = news;
  const mending = createPartMending({ damage, clock });
  const rests = createLoaderRests({ ...options, signal: stopping.signal });
  const mendingTurn = createMendingTurn({ ...options, onTurn: rests.wake });
  /** The generation of the engine that the store was prepared for, or -1 if it wasn't. */
  let preparedGeneration = -1;
  let mustCompareAll = true;
  /** How often others asked for a comparison. What they ask for can happen behind the back of one under way. */
  let comparisonsAsked = 0;
  let loggedError: string | undefined;
  let pauseMs = backOffMs.first;
  let verifiedAtMs = clock.monotonicMs();
  /** Settles when the batch that is being read and inserted has ended, one way or the other. */
  let batchUnderWay: Promise<void> = Promise.resolve();
  let isBatchUnderWay = false;
  let stepUnderWay: Promise<void> = Promise.resolve();
  /** Settles when the segment that is being removed is gone, or could not be removed. */
  let removalUnderWay: Promise<void> | undefined;
  const inserter = new BatchInserter({
    node: ledger.node,
    store,
    engine,
    progress,
    clock,
    onFailure: () => {
      preparedGeneration = -1;
      news.noteUnsure();
    },
  });
  const { otherLedgers } = options;
  const parts = { journal, ledger, otherLedgers, store, inserter, damage, progress, limits, isWanted, log };

  const batches = (): Batch[] => [...ledger.state.batches.values()];
  const unverified = (): Batch[] => batches().filter(({ batch }) => !ledger.state.verified.has(batch));
  const stretch = () => nextStretch(journal.segments(), ledger.state.batchedTo);

  /**
   * Runs after every start of the engine: brings the schema up to date, checks which store it is, and finds
   * out what has arrived of the last batches.
   */
  async function prepare(generation: number): Promise<void> {
    const asked = comparisonsAsked;
    // Others can change an outside store, restore it, or complete an INSERT that was given up.
    if (engine.isOutside) mustCompareAll = true;
    news.noteUnsure();
    await store.migrate();
    const uuid = await store.uuid();
    const before = ledger.state.storeUuid;
    if (uuid !== before) {
      if (before !== undefined) {
        log.warn({ store: uuid, before }, 'this is a different store: loading everything in the journal');
        await options.onOtherStore({ before, now: uuid });
      }
      await ledger.setStore(uuid);
      mustCompareAll = true;
    }
    await removalEnded();
    await store.finishSalvage();
    await mending.settleUnsure(() => store.listParts());
    const { maxRows } = limits;
    const counted = mustCompareAll
      ? await alignLedger({ journal, ledger, store, isWanted, maxRows, log })
      : undefined;
    // This comes before anything is loaded again, because then the journal's share would no longer be missing.
    if (mending.gone().length > 0 || engine.hasBrokenParts()) {
      await reportLost(parts, { mended: mending.gone(), hasBroken: engine.hasBrokenParts() });
      mending.noteReported();
    }
    await reconcile(mustCompareAll || engine.hasBrokenParts() ? batches() : unverified(), counted);
    const onlyInStore = await options.countOnlyInStore();
    if (!isDeepStrictEqual(onlyInStore, ledger.state.onlyInStore)) await ledger.setStore(uuid, onlyInStore);
    if (asked !== comparisonsAsked) return;
    mustCompareAll = false;
    preparedGeneration = generation;
    tellWaiting();
  }

  /**
   * Nothing is verified while the store is being prepared, so no removal begins then. A removal that began
   * before must end first: what the loader reads from its segment could be gone before it is needed.
   */
  async function removalEnded(): Promise<void> {
    while (removalUnderWay !== undefined) await removalUnderWay;
  }

  async function reconcile(suspects: Batch[], counted?: Comparison): Promise<void> {
    const loadOneAgain = (batch: Batch, differences: Difference[]) =>
      asOneBatch(() => loadAgain(parts, batch, differences));
    await reconcileBatches({ ...parts, loadAgain: loadOneAgain }, suspects, counted);
  }

  /** Loads one batch, and notes up to when the store is complete. */
  async function loadNext(): Promise<boolean> {
    completeness.setMark();
    rests.noteBatch();
    const isMoreWaiting = await asOneBatch(() => loadNextBatch(parts));
    completeness.noteLoaded();
    tellWaiting();
    return isMoreWaiting;
  }

  /** Everything in a batch has arrived, because the store was prepared and no INSERT has failed since. */
  function tellWaiting(): void {
    if (!isPrepared()) return;
    news.tell(() => (stretch() === undefined ? journal.answeredTo() : ledger.state.batchedTo));
  }

  function asOneBatch<T>(work: () => Promise<T>): Promise<T> {
    isBatchUnderWay = true;
    const done = work().finally(() => {
      isBatchUnderWay = false;
    });
    batchUnderWay = done.then(
      () => {},
      () => {},
    );
    return done;
  }

  async function step(): Promise<void> {
    const generation = engine.generation();
    // This comes first, because a damaged part can make questions about the store fail.
    if (mending.isDue()) await mendingTurn.ask();
    if (mendingTurn.hasCome() && !stopping.signal.aborted) await mendAll().finally(mendingTurn.end);
    if (generation !== preparedGeneration) await prepare(generation);
    await mending.settle();
    while (await loadNext()) {
      if (stopping.signal.aborted || !engine.isReady() || engine.generation() !== generation) return;
      if (waitingBytes() < limits.maxBytes / 8) break;
    }
    await verifyWhenDue();
  }

  async function mendAll(): Promise<void> {
    await mending.mendAll(async (part, noteGone) => {
      preparedGeneration = -1;
      mustCompareAll = true;
      await options.beforeMending();
      await removalEnded();
      // The records that wait to be loaded aren't affected, so `news` needn't know.
      return await asOneBatch(() => mendPart({ ...parts, damage: options.damage }, part, noteGone));
    });
  }

  async function verifyWhenDue(): Promise<void> {
    const sinceMs = clock.monotonicMs() - verifiedAtMs;
    if (sinceMs <= verifyIntervalMs) return;
    const suspects = unverified();
    if (sinceMs <= verifyEmptyIntervalMs && !suspects.some((batch) => rowsOf(batch) > 0)) return;
    verifiedAtMs = clock.monotonicMs();
    await reconcile(suspects);
  }

  /**
   * The bytes that wait behind the last batch. If they fill a batch, it is loaded at once. Otherwise they
   * wait for the interval.
   */
  function waitingBytes(): number {
    const next = stretch();
    return next === undefined ? 0 : next.to - next.from;
  }

  async function run(): Promise<void> {
    await completeness
      .begin()
      .catch((error: unknown) => log.warn({ err: error }, 'cannot read the first record that is waiting'));
    while (!stopping.signal.aborted) {
      if (engine.isReady()) {
        try {
          stepUnderWay = step();
          await stepUnderWay;
          progress.lastError = undefined;
          loggedError = undefined;
          pauseMs = backOffMs.first;
          if (stretch() === undefined) progress.noteNothingWaits();
        } catch (error) {
          // This isn't a fault of the store, which may pass in a moment. The loader itself is wrong.
          if (error instanceof AssertionError) throw error;
          const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT';
          if (isGone && (await journal.dropVanished()) > 0) continue;
          const message = error instanceof Error ? error.message : String(error);
          if (message !== loggedError) log.error({ err: error }, 'loading failed: trying again');
          progress.lastError = message;
          loggedError = message;
          const forMs = pauseMs;
          pauseMs = Math.min(pauseMs * 2, backOffMs.most);
          await rests.pause(forMs);
          continue;
        }
      }
      await (engine.isReady() ? rests.rest() : rests.pause(backOffMs.first));
    }
  }

  const endIfBroken = (error: unknown): void => {
    if (!(error instanceof AssertionError)) throw error;
    // Nothing that the loader says counts anymore, so that the journal keeps its segments.
    preparedGeneration = -1;
    options.onBroken(error);
  };
  const running = run().catch(endIfBroken).finally(mendingTurn.close);
  /** Whether the store was counted since the engine started. Before that, the journal may be the only copy. */
  const isPrepared = () => engine.isReady() && preparedGeneration === engine.generation();

  return {
    /** Everything that was received by this time is in the store. */
    completeUpToMs(): number {
      if (isPrepared() && !isBatchUnderWay && stretch() === undefined) completeness.noteNothingWaits();
      return completeness.upToMs();
    },
    /**
     * Whether everything before this place is loaded, and counted in the store. The journal may have the only
     * copy of what can't be read of a part that waits to be mended.
     */
    isVerifiedTo(position: JournalPosition): boolean {
      if (!isPrepared() || mending.isWaiting()) return false;
      const open = unverified()[0];
      const reached =
        open === undefined ? ledger.state.batchedTo : { segment: open.segment, offset: open.from };
      return !isBefore(reached, position);
    },
    /**
     * The end of the journal. Undefined while a record that came at least this long ago waits for the disk.
     */
    receivedTo(agoMs: number): JournalPosition | undefined {
      const oldestMs = journal.oldestUnansweredMs();
      return oldestMs > 0 && oldestMs >= agoMs ? undefined : journal.durable();
    },
    /**
     * Whether the store has everything before a place in the journal. If not, loading continues immediately.
     */
    async isLoadedTo(position: JournalPosition): Promise<boolean> {
      if (!isPrepared() || bytesBehind(journal.segments(), ledger.state.batchedTo, position) > 0) {
        rests.wake();
        return false;
      }
      // The ledger knows a batch before it is inserted. One that fails has to be prepared for again.
      await batchUnderWay;
      return isPrepared();
    },
    /**
     * Runs `remove`, which removes a verified segment from the journal and from the ledger. In the meantime,
     * batches are neither compared nor mended.
     */
    async runRemoval(remove: () => Promise<void>): Promise<void> {
      const removal = remove();
      removalUnderWay = removal
        .catch(() => {})
        .finally(() => {
          removalUnderWay = undefined;
        });
      await removal;
    },
    /**
     * Settles when no row that was read before now is still on its way into the store. To delete rows for
     * good, first change what is wanted, then wait for this: after that, no unwanted row comes in.
     */
    batchEnded: (): Promise<void> => batchUnderWay,
    /** Settles when nothing is being loaded or compared, which begins again only while the engine is ready. */
    stepEnded: (): Promise<void> => stepUnderWay.catch(() => {}),
    /** Whether the store is known to have everything that this loader has brought into it. */
    isPrepared,
    /** Rows may be gone from the store: compares all batches and loads what is missing. */
    compareAll(): void {
      comparisonsAsked += 1;
      preparedGeneration = -1;
      mustCompareAll = true;
      rests.wake();
    },
    /** Repairs a part of the store that was found damaged, between two batches. */
    mend(part: StorePart): void {
      mending.add(part);
      rests.wake();
    },
    /** There is a new engine, so what failed with the previous one is tried again at once. */
    retryNow(): void {
      pauseMs = backOffMs.first;
      rests.wake();
    },
    /** Someone waits for what has just reached the disk. */
    loadSoon: rests.wakeSoon,
    verifyNow(): void {
      verifiedAtMs = Number.NEGATIVE_INFINITY;
      rests.wake();
    },
    state: (): LoaderState => ({
      loadedRows: progress.loadedRows,
      insertedBatches: progress.insertedBatches,
      unverifiedBatches: ledger.state.batches.size - ledger.state.verified.size,
      lagMs: progress.lagMs(stretch() !== undefined),
      lastError: progress.lastError,
      storeUuid: ledger.state.storeUuid,
      waitingBytes: bytesBehind(journal.segments(), ledger.state.batchedTo),
      toCompareBatches: progress.toCompareBatches,
      toLoadAgain: progress.toLoadAgain,
    }),
    /** Loads what is there and stops. Gives up if the store doesn't answer in time. */
    async stop({ withinMs }: { withinMs: number }): Promise<void> {
      stopping.abort();
      const finish = async () => {
        await running;
        if (isPrepared()) while (await loadNext());
      };
      await Promise.race([
        finish()
          .catch(endIfBroken)
          .catch(() => {}),
        delay(withinMs, undefined, { ref: false }),
      ]);
    },
  };
}
