import type { WebsiteCache } from '../control/websites/website-cache.ts';
import { serverCommand } from '../files/store-holder.ts';
import { createStoreWaits } from '../intake/store-waits.ts';
import { readLedgers } from '../loader/read-ledgers.ts';
import { countOnlyInStore, reportGoneStore } from '../loader/report-gone-store.ts';
import { startLoader } from '../loader/start-loader.ts';
import type { DayBuilder } from '../stats/days/day-builder.ts';
import { openStore } from '../store/open-store.ts';
import type { OutsideStore, StoreAddress } from '../store/store-address.ts';
import { clockSettleMs, type NodeOptions } from './node-options.ts';
import type { JournalParts } from './open-journal-parts.ts';
import { startHousekeeping } from './start-housekeeping.ts';
import { type StoreEngine, superviseEngine } from './supervise-engine.ts';
import { watchOutsideStore } from './watch-outside-store.ts';
import { watchRepairRequest } from './watch-repair-request.ts';
import type { Workers } from './workers/supervise-workers.ts';

const querySessions = 4;
export const websitesMs = 250;
export const checkMs = 1000;
export const batchLimits = { intervalMs: 1000, maxRows: 40_000, maxBytes: 12 * 1024 * 1024 };

/** Starts what brings records from the journal into the store: the engine, the loader and their upkeep. */
export function startLoading(
  options: NodeOptions,
  parts: JournalParts & {
    websiteCache: Pick<WebsiteCache, 'isWanted'>;
    workers: Pick<Workers, 'pauseLoading'>;
    /** The builder of days, which is created later, because it needs to know what was loaded. */
    days: Promise<Pick<DayBuilder, 'inTurn'>>;
  },
) {
  const { folder, control, clock, log } = options;
  const { journal, ledger, damage, contingent, idempotencyIndex, websiteCache } = parts;
  const { outsideStore: outside } = options;
  const address: StoreAddress = outside === undefined ? { socketPath: folder.engineSocket } : { outside };
  const { engine, repairs } =
    outside === undefined ? startOwnEngine(options) : watchOutside(outside, ledger.node, options);
  const isEngineReady = () => engine.state().state === 'ready';
  const storeWaits =
    options.ack === 'store'
      ? createStoreWaits({ journal, clock, loadSoon: () => loader.loadSoon() })
      : undefined;
  const store = openStore({ ...address, use: 'loading', log: log.child({ part: 'store' }) });
  const ledgers = () => readLedgers(folder.root);
  const loader = startLoader({
    journal,
    ledger,
    store,
    damage,
    clock,
    ...batchLimits,
    engine: {
      isOutside: outside !== undefined,
      isReady: isEngineReady,
      generation: () => engine.generation(),
      // What an outside store has lost, we can't tell from its broken parts.
      hasBrokenParts: () => outside === undefined && engine.state().brokenParts > 0,
      restart: (reason) => engine.restart(reason),
    },
    takeBuildTurn: async (work) => await (await parts.days).inTurn(work),
    beforeMending: () => parts.workers.pauseLoading(),
    // What is in an outside store is for those who run it to know.
    onOtherStore: async (found) =>
      outside === undefined ? await reportGoneStore({ store, ledgers, damage }, found) : undefined,
    countOnlyInStore: async () =>
      outside === undefined ? await countOnlyInStore({ store, ledgers }, 0) : undefined,
    otherLedgers: () => readLedgers(folder.root, ({ worker }) => worker > 1),
    isWanted: websiteCache.isWanted,
    waits: storeWaits,
    onBroken: options.onBroken,
    log: log.child({ part: 'loader' }),
  });
  engine.onReady(() => loader.retryNow());
  const housekeeping = startHousekeeping({
    journal,
    ledger,
    loader,
    contingent,
    idempotencyIndex,
    control,
    clock,
    clockSettleMs,
    log,
    retentionMs: options.journalRetentionMs,
    pressureBytes: options.journalMaxBytes / 2,
    onBroken: options.onBroken,
  });
  return { engine, isEngineReady, address, store, storeWaits, loader, housekeeping, repairs };
}

type Engine = { engine: StoreEngine; repairs: { stop(): void } };

function startOwnEngine(options: NodeOptions): Engine {
  const { folder, engineMaxMemoryBytes, enginePriority, clock, log } = options;
  const engine = superviseEngine({
    folder: folder.store,
    socketPath: folder.engineSocket,
    maxMemoryBytes: engineMaxMemoryBytes,
    sessions: querySessions,
    priority: enginePriority,
    command: serverCommand,
    clock,
    log: log.child({ part: 'engine' }),
  });
  return { engine, repairs: watchRepairRequest({ folder, engine, log }) };
}

/** Nothing in an outside store is ours to repair. */
function watchOutside(outside: OutsideStore, node: string, { clock, log }: NodeOptions): Engine {
  const engine = watchOutsideStore({ outside, node, clock, log: log.child({ part: 'engine' }) });
  return { engine, repairs: { stop: () => {} } };
}
