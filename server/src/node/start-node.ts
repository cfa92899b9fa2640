import type { AddressInfo } from 'node:net';
import type { Control } from '../control/open-control.ts';
import { keepSalts } from '../control/privacy/keep-salts.ts';
import { watchKeyUse } from '../control/websites/watch-key-use.ts';
import { openWebsiteCache } from '../control/websites/website-cache.ts';
import { openDamageLog } from '../damage/damage-log.ts';
import type { dataFolder } from '../files/data-folder.ts';
import { serverCommand } from '../files/store-holder.ts';
import { readPageFiles } from '../http/pages/page-files.ts';
import { sendPage } from '../http/pages/page-routes.ts';
import { createBoundedLog } from '../http/server/bounded-log.ts';
import { createHttpServer } from '../http/server/create-server.ts';
import { createRequestIds } from '../http/server/request-ids.ts';
import { createTracking, type TrackingCounts } from '../http/tracking/create-tracking.ts';
import { createRecentRequests } from '../http/tracking/recent-requests.ts';
import { openContingent } from '../intake/contingent/contingent.ts';
import { createIntake } from '../intake/create-intake.ts';
import { openIdempotencyIndex } from '../intake/idempotency/idempotency-index.ts';
import { journalBegunAnew } from '../journal/journal-damage.ts';
import { type Journal, openJournal } from '../journal/open-journal.ts';
import { openLedger } from '../loader/open-ledger.ts';
import { startLoader } from '../loader/start-loader.ts';
import type { Log } from '../log.ts';
import { recordColumns } from '../records/record-columns.ts';
import { keepData } from '../removal/start-removals.ts';
import { openStore } from '../store/open-store.ts';
import type { Clock } from '../time/clock.ts';
import { createMetrics } from './create-metrics.ts';
import { nodeRoutes } from './node-routes.ts';
import { noteUnknownProxy } from './note-unknown-proxy.ts';
import { readHealth } from './read-health.ts';
import { startChecking } from './start-checking.ts';
import { startHousekeeping } from './start-housekeeping.ts';
import { startStatistics } from './start-statistics.ts';
import { stopServer } from './stop-server.ts';
import { superviseEngine } from './supervise-engine.ts';
import { watchDamage } from './watch-damage.ts';
import { watchRepairRequest } from './watch-repair-request.ts';

export type NodeOptions = {
  host: string;
  port: number;
  folder: ReturnType<typeof dataFolder>;
  metricsToken: string | undefined;
  trustedProxies: number;
  /** Where the built web application is. */
  pagesFolder: string;
  journalMaxBytes: number;
  journalRetentionMs: number;
  minFreeBytes: number;
  engineMaxMemoryBytes: number;
  control: Control;
  clock: Clock;
  log: Log;
  /** Called when all is ready but the port: who has held it until now lets go of it. */
  beforeListen: () => Promise<void>;
  /** The journal, or what is known of it, can no longer be trusted to keep records: the process must end. */
  onBroken: (error: Error) => void;
};

export type RunningNode = Awaited<ReturnType<typeof startNode>>;

const segmentBytes = 64 * 1024 * 1024;
/**
 * About 75 MB at most, which only grow with the keys that come; and what a start looks through, a second or
 * two.
 */
const idempotencyLimits = { maxKeys: 2_000_000, maxRecalledBytes: 1024 * 1024 * 1024 };
const querySessions = 4;
/** How long a clock must have gone right before records are deleted for their age. */
const clockSettleMs = 10 * 60_000;
const keyUseMs = 5000;
const damageMs = 2000;
const checkMs = 1000;
const dataMs = 1000;
const batchLimits = { intervalMs: 1000, maxRows: 40_000, maxBytes: 12 * 1024 * 1024 };

/** What is open so far, to be closed if the start fails: it is tried again in the same process. */
type Opened = (() => unknown)[];

/** Puts the parts together and opens the port; the one place that knows all of them. */
export async function startNode(options: NodeOptions) {
  const opened: Opened = [];
  try {
    return await putTogether(options, opened);
  } catch (error) {
    for (const close of opened.reverse()) await close();
    throw error;
  }
}

async function putTogether(options: NodeOptions, opened: Opened) {
  const { folder, control, clock, log } = options;
  const counts: TrackingCounts = {
    accepted: { page_view: 0, event: 0 },
    repeated: { page_view: 0, event: 0 },
    refused: new Map(),
  };

  const damage = await openDamageLog({ folder: folder.damage, clock, log: log.child({ part: 'damage' }) });
  const knownDamage = await watchDamage(damage, damageMs);
  opened.push(() => knownDamage.stop());
  const ledger = await openLedger({ folder: folder.journal });
  opened.push(() => ledger.close());
  const metrics = createMetrics({
    counts,
    idempotencyIndex: () => idempotencyIndex,
    journal: () => journal,
    loader: () => loader.state(),
    engine: () => ({
      restarts: engine.state().restarts,
      isReady: isEngineReady(),
      rssBytes: engine.rssBytes(),
    }),
    damage: knownDamage.list,
    checked: () => checking.progress(),
    live: () => ({ streams: live.count(), questions: liveWatcher.questions() }),
    now: () => clock.now(),
  });
  opened.push(() => metrics.stop());
  const { position: checkpoint, elsewhere } = await control.usage.read(ledger.node);
  if (checkpoint === undefined && elsewhere.length > 0) await damage.report(journalBegunAnew(ledger.node));
  const journal: Journal = await openJournal({
    folder: folder.journal,
    answered: [...ledger.answered, ...(checkpoint ? [{ ...checkpoint, isStored: false }] : [])],
    damage,
    node: ledger.node,
    columns: recordColumns,
    segmentBytes,
    maxBytes: options.journalMaxBytes,
    minFreeBytes: options.minFreeBytes,
    clock,
    log: log.child({ part: 'journal' }),
    onGroup: metrics.onGroup,
    onBroken: options.onBroken,
  });
  opened.push(() => journal.close());
  const contingent = await openContingent({
    node: ledger.node,
    usage: control.usage,
    journal,
    clock,
    log: log.child({ part: 'intake' }),
    answeredTo: () => journal.answeredTo(),
  });
  const idempotencyIndex = await openIdempotencyIndex({
    journal,
    clock,
    log: log.child({ part: 'intake' }),
    ...idempotencyLimits,
  });
  const websiteCache = await openWebsiteCache({
    control,
    clock,
    intervalMs: 250,
    settleMs: clockSettleMs,
    log: log.child({ part: 'control' }),
  });
  opened.push(() => websiteCache.stop());
  const salts = keepSalts({ salts: control.salts, clock, log: log.child({ part: 'salts' }) });
  opened.push(() => salts.stop());
  await salts.ready;

  const engine = superviseEngine({
    folder: folder.store,
    socketPath: folder.engineSocket,
    maxMemoryBytes: options.engineMaxMemoryBytes,
    sessions: querySessions,
    command: serverCommand,
    clock,
    log: log.child({ part: 'engine' }),
  });
  const isEngineReady = () => engine.state().state === 'ready';
  const store = openStore({
    socketPath: folder.engineSocket,
    use: 'loading',
    log: log.child({ part: 'store' }),
  });
  const loader = startLoader({
    journal,
    ledger,
    store,
    damage,
    clock,
    ...batchLimits,
    engine: {
      isReady: isEngineReady,
      generation: () => engine.generation(),
      hasBrokenParts: () => engine.state().brokenParts > 0,
      restart: (reason) => engine.restart(reason),
    },
    isWanted: websiteCache.isWanted,
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
  const repairs = watchRepairRequest({ folder, engine, log });

  const requestLog = createBoundedLog(log);
  const keyUse = watchKeyUse({ websites: control.websites, clock, log, intervalMs: keyUseMs });
  const recent = createRecentRequests(clock);
  const intake = createIntake({
    apiKeys: websiteCache.apiKeys,
    keyUsedAtMs: keyUse.usedAtMs,
    contingent,
    salts,
    journal,
    idempotencyIndex,
    clock,
  });
  const tracking = createTracking({
    intake,
    counts,
    requestId: createRequestIds(),
    recent,
    log: requestLog,
  });
  const health = () =>
    readHealth({ journal, loader: loader.state(), engine: engine.state(), damage: knownDamage.list() });
  const progress = () => ({ oldestUnansweredMs: journal.oldestUnansweredMs(), loader: loader.state() });
  const { days, sweeping, statistics, liveWatcher, live, askedStore } = startStatistics({
    socketPath: folder.engineSocket,
    isEngineReady,
    lagMs: () => loader.state().lagMs,
    clock,
    log,
  });
  const checking = startChecking({
    journal,
    store: askedStore,
    loader,
    isEngineReady,
    damage,
    stepMs: checkMs,
    restTimes: 20,
    batchedTo: () => ledger.state.batchedTo,
    log: log.child({ part: 'checks' }),
  });
  const data = keepData({
    control,
    websiteCache,
    store: askedStore,
    days,
    loader,
    clock,
    journalHoldsFromMs: () => Math.min(clock.now(), ...journal.segments().map(({ createdAt }) => createdAt)),
    checkpointUsage: () => contingent.checkpoint(),
    isStoreReady: isEngineReady,
    clockSettleMs,
    intervalMs: dataMs,
    log: log.child({ part: 'data' }),
  });
  const pages = readPageFiles(options.pagesFolder);
  if (pages === undefined)
    log.warn({ folder: options.pagesFolder }, 'the web application is not built: run npm run build');
  const routes = nodeRoutes({
    health,
    progress,
    metrics,
    metricsToken: options.metricsToken,
    statistics,
    websiteCache,
    control,
    contingent,
    keyUse,
    recent,
    data,
    live,
    trustedProxies: options.trustedProxies,
    onUnknownProxy: noteUnknownProxy({ file: folder.unknownProxy, log }),
    pages,
    clock,
    log: requestLog,
  });
  const { app, server, fastLane } = await createHttpServer({
    tracking,
    routes,
    log: requestLog,
    sendPage: (request, reply) => sendPage(pages, request, reply),
  });
  await options.beforeListen();
  await app.listen({ host: options.host, port: options.port });

  return {
    address: server.address() as AddressInfo,
    loader,
    engine,
    store,
    /** Answers what is under way, loads what can be loaded soon, and closes; the journal keeps the rest. */
    async stop(): Promise<void> {
      repairs.stop();
      // These would not end by themselves.
      live.stop();
      liveWatcher.stop();
      await stopServer({ server, fastLane, withinMs: 2500 });
      await housekeeping.stop();
      await checking.stop();
      knownDamage.stop();
      await loader.stop({ withinMs: 2000 });
      await journal.close();
      await contingent.checkpoint().catch((error: unknown) => log.warn({ err: error }, 'cannot checkpoint'));
      websiteCache.stop();
      salts.stop();
      requestLog.stop();
      metrics.stop();
      sweeping.stop();
      await keyUse.stop();
      await data.stop({ withinMs: 1500 });
      await days.stop({ withinMs: 1500 });
      await askedStore.close();
      await store.close();
      await engine.stop();
      await ledger.close();
    },
  };
}
