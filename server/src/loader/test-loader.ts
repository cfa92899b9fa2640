/** A loader with a real journal and a real ledger, for tests. */
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { createFakeClock, createTestLog } from '../control/test-control.ts';
import { openDamageLog } from '../damage/damage-log.ts';
import type { Journal } from '../journal/open-journal.ts';
import { append, openTestJournal } from '../journal/test-journal.ts';
import type { LoaderOptions } from './loader-options.ts';
import { openLedger } from './open-ledger.ts';
import { nextStretch } from './read-batch.ts';
import { startLoader } from './start-loader.ts';
import { createTestEngine, MemoryStore, type TestEngine } from './test-store.ts';

export type TestLoader = Awaited<ReturnType<typeof openTestLoader>>;

export async function openTestLoader(
  t: TestContext,
  parts: { folder: string; store: MemoryStore; engine: TestEngine },
  options: Partial<LoaderOptions> = {},
) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { log, messages } = createTestLog();
  const damage = await openDamageLog({ folder: join(parts.folder, 'damage'), clock, log });
  const ledger = await openLedger({ folder: parts.folder });
  const journal = await openTestJournal(t, parts.folder, {
    node: ledger.node,
    answered: ledger.answered,
    damage,
    clock,
  });
  const start = (own: Partial<LoaderOptions> = {}) =>
    startLoader({
      journal,
      ledger,
      store: parts.store,
      engine: parts.engine,
      damage,
      clock,
      log,
      onBroken: (error) => {
        throw error;
      },
      isWanted: () => true,
      takeBuildTurn: (work) => work(),
      beforeMending: async () => {},
      onOtherStore: async () => {},
      countOnlyInStore: async () => undefined,
      otherLedgers: async () => [],
      waits: undefined,
      intervalMs: 1,
      maxRows: 1000,
      maxBytes: 1_000_000,
      ...options,
      ...own,
    });
  let loader: ReturnType<typeof startLoader> | undefined;
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await loader?.stop({ withinMs: 60_000 });
    await journal.close();
    await ledger.close();
  };
  t.after(close);

  return {
    journal,
    ledger,
    damage,
    clock,
    messages,
    close,
    start(own?: Partial<LoaderOptions>) {
      loader = start(own);
      return loader;
    },
    append: (texts: readonly string[]) => appendAll(journal, texts),
    isLoaded: () => nextStretch(journal.segments(), ledger.state.batchedTo) === undefined,
    /** Waits until every record is loaded and counted. Asking for that also ends the pause after a fault. */
    async settle(): Promise<void> {
      const deadline = performance.now() + 300_000;
      const isSettled = () =>
        nextStretch(journal.segments(), ledger.state.batchedTo) === undefined &&
        loader!.isVerifiedTo(ledger.state.batchedTo) &&
        loader!.state().lastError === undefined;
      while (!isSettled()) {
        if (performance.now() > deadline) throw new Error(`not settled: ${JSON.stringify(loader!.state())}`);
        loader!.verifyNow();
        // A pause, because the loader mostly waits for the disk.
        await delay(1);
      }
    },
  };
}

/** Opens a loader with its own store and engine on a folder. `reopen` restarts the process. */
export async function openLoaderAndStore(
  t: TestContext,
  folder: string,
  options: Partial<LoaderOptions> = {},
) {
  const store = new MemoryStore();
  const engine = createTestEngine(store);
  const reopen = () => openTestLoader(t, { folder, store, engine }, options);
  return { folder, store, engine, reopen, ...(await reopen()) };
}

async function appendAll(journal: Journal, texts: readonly string[]): Promise<void> {
  const failures = await Promise.all(texts.map((text) => append(journal, text)));
  if (failures.some((failure) => failure !== undefined)) throw new Error('a record was refused');
}
