import type { AddressInfo } from 'node:net';
import { keepSalts } from '../control/privacy/keep-salts.ts';
import { createKeyLookUp } from '../control/websites/create-key-look-up.ts';
import { watchKeyUse } from '../control/websites/watch-key-use.ts';
import { openWebsiteCache } from '../control/websites/website-cache.ts';
import { keepDemos } from '../demo/keep-demos.ts';
import { readPageFiles } from '../http/pages/page-files.ts';
import { sendPage } from '../http/pages/page-routes.ts';
import { createBoundedLog } from '../http/server/bounded-log.ts';
import { createHttpServer } from '../http/server/create-server.ts';
import { createRequestIds } from '../http/server/request-ids.ts';
import { createTracking, type TrackingCounts } from '../http/tracking/create-tracking.ts';
import { createRecentRequests } from '../http/tracking/recent-requests.ts';
import { createIntake } from '../intake/create-intake.ts';
import type { GroupReport } from '../journal/group-commit.ts';
import { keepData } from '../removal/start-removals.ts';
import { createMetrics } from './create-metrics.ts';
import { clockSettleMs, type NodeOptions } from './node-options.ts';
import { nodeRoutes } from './node-routes.ts';
import { noteUnknownProxy } from './note-unknown-proxy.ts';
import { type Opened, openJournalParts } from './open-journal-parts.ts';
import { readHealth } from './read-health.ts';
import { startChecking } from './start-checking.ts';
import { startLoading } from './start-loading.ts';
import { startStatistics } from './start-statistics.ts';
import { stopServer } from './stop-server.ts';

export type RunningNode = Awaited<ReturnType<typeof startNode>>;

const websitesMs = 250;
const keyUseMs = 5000;
const checkMs = 1000;
const dataMs = 1000;

/** Puts the parts of a node together and opens its port. No other place knows all of them. */
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

  // The first record arrives once the port is open, and by then there are metrics.
  const onGroup = (report: GroupReport) => metrics.onGroup(report);
  const journalParts = await openJournalParts({ ...options, onGroup }, opened);
  const { damage, knownDamage, ledger, journal, contingent, idempotencyIndex } = journalParts;
  const websiteCache = await openWebsiteCache({
    control,
    clock,
    intervalMs: websitesMs,
    settleMs: clockSettleMs,
    log: log.child({ part: 'control' }),
  });
  opened.push(() => websiteCache.stop());
  const salts = keepSalts({ salts: control.salts, clock, log: log.child({ part: 'salts' }) });
  opened.push(() => salts.stop());
  await salts.ready;

  const { engine, isEngineReady, address, store, loader, housekeeping, repairs } = startLoading(options, {
    ...journalParts,
    websiteCache,
  });
  opened.push(() => housekeeping.stop());

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
    keyLookUp: createKeyLookUp({ websites: control.websites, websiteCache, clock }),
    counts,
    requestId: createRequestIds(),
    recent,
    log: requestLog,
  });

  const { days, sweeping, statistics, liveWatcher, live, askedStore } = startStatistics({
    address,
    isEngineReady,
    completeUpToMs: () => loader.completeUpToMs(),
    control,
    websiteCache,
    clock,
    log,
  });
  const checking = startChecking({
    journal,
    // The files of an outside store are for those who run it to check.
    store: options.outsideStore === undefined ? askedStore : undefined,
    loader,
    isEngineReady,
    damage,
    stepMs: checkMs,
    restTimes: 20,
    batchedTo: () => ledger.state.batchedTo,
    log: log.child({ part: 'checks' }),
  });
  const metrics = createMetrics({
    counts,
    idempotencyIndex,
    journal,
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

  const demos = keepDemos({ store, askedStore, days, clock, log: log.child({ part: 'demo' }) });

  const health = () =>
    readHealth({
      journal,
      loader: loader.state(),
      engine: engine.state(),
      isControlFailing: websiteCache.isFailing(),
      damage: knownDamage.list(),
    });
  const progress = () => ({ oldestUnansweredMs: journal.oldestUnansweredMs(), loader: loader.state() });
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
    tracking,
    demos,
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
    /**
     * Finishes requests in progress, loads what can be loaded soon, and closes. The journal keeps the rest.
     */
    async stop(): Promise<void> {
      repairs.stop();
      // Live views would never end on their own.
      live.stop();
      liveWatcher.stop();
      await stopServer({ server, fastLane, withinMs: 2500 });
      await housekeeping.stop();
      await checking.stop();
      knownDamage.stop();
      await loader.stop({ withinMs: 2000 });
      await journal.close();
      await contingent
        .checkpoint()
        .then(() => contingent.giveBack(0))
        .catch((error: unknown) => log.warn({ err: error }, 'cannot save the monthly usage'));
      websiteCache.stop();
      salts.stop();
      requestLog.stop();
      metrics.stop();
      sweeping.stop();
      await keyUse.stop();
      await demos.stop({ withinMs: 1500 });
      await data.stop({ withinMs: 1500 });
      await days.stop({ withinMs: 1500 });
      await askedStore.close();
      await store.close();
      await engine.stop();
      await ledger.close();
    },
  };
}
