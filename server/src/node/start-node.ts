import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createErasureNoter } from '../backup/create-erasure-noter.ts';
import { keepSalts } from '../control/privacy/keep-salts.ts';
import { openWebsiteCache } from '../control/websites/website-cache.ts';
import { keepDemos } from '../demo/keep-demos.ts';
import { workerFolder } from '../files/worker-folders.ts';
import { readPageFiles } from '../http/pages/page-files.ts';
import { sendPage } from '../http/pages/page-routes.ts';
import { createHttpServer } from '../http/server/create-server.ts';
import { createTracking } from '../http/tracking/create-tracking.ts';
import { createForward } from '../http/tracking/forward-records.ts';
import { openIntakeSocket } from '../http/tracking/open-intake-socket.ts';
import { createLedgerReader } from '../intake/tally/create-ledger-reader.ts';
import type { GroupReport } from '../journal/group-commit.ts';
import { startRemovals } from '../removal/start-removals.ts';
import type { DayBuilder } from '../stats/days/day-builder.ts';
import { describeAway } from './cluster/describe-away.ts';
import type { NodeCluster } from './cluster/node-cluster.ts';
import { serveWantedBuilds } from './cluster/serve-wanted-builds.ts';
import { isOneOfSeveral, startCluster } from './cluster/start-cluster.ts';
import { withOtherNodes } from './cluster/with-other-nodes.ts';
import { createMetrics } from './create-metrics.ts';
import { markLastWebsite } from './mark-last-website.ts';
import { clockSettleMs, lastWebsiteMs, type NodeOptions, storeWaitMs } from './node-options.ts';
import { nodeRoutes } from './node-routes.ts';
import { noteUnknownProxy } from './note-unknown-proxy.ts';
import { type Opened, openJournalParts } from './open-journal-parts.ts';
import { openKeyParts } from './open-key-parts.ts';
import { readHealth } from './read-health.ts';
import { startChecking } from './start-checking.ts';
import { startIntake } from './start-intake.ts';
import { checkMs, startLoading, websitesMs } from './start-loading.ts';
import { startStatistics } from './start-statistics.ts';
import { stopServer } from './stop-server.ts';
import { createAllWorkers } from './workers/of-all-workers.ts';
import { findMovedKeys, planWorkers } from './workers/plan-workers.ts';
import { superviseWorkers } from './workers/supervise-workers.ts';

const dataMs = 1000;
/** How long a node that ends waits until it knows whether the store has everything. */
const loadedMs = 2000;

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

  let cluster: NodeCluster | undefined;
  let isBroken = false;
  const onBroken = (error: Error) => {
    isBroken = true;
    options.onBroken(error);
  };
  // The first record arrives once the port is open, and by then there are metrics.
  const onGroup = (report: GroupReport) => metrics.onGroup(report);
  const plan = await planWorkers({ dataDir: folder.root, workers: options.workers, clock });
  const journalMaxBytes = Math.floor(options.journalMaxBytes / plan.workers);
  const workers = superviseWorkers({
    plan,
    start: { ...options.ofWorkers, ...pickLimits(options), dataDir: folder.root, journalMaxBytes },
    log: log.child({ part: 'workers' }),
  });
  const all = createAllWorkers(workers);
  const journalParts = await openJournalParts(
    {
      ...options,
      journalMaxBytes,
      worker: 1,
      usedMark: control.isShared ? workerFolder(folder.root, 1).used : undefined,
      isShared: control.isShared || !workers.isAlone(),
      movedKeys: await findMovedKeys(folder.root, 1, plan),
      onGroup,
      onBroken,
    },
    opened,
  );
  const { damage, knownDamage, ledger, journal, contingent, tally, idempotencyIndex } = journalParts;
  const websiteCache = await openWebsiteCache({
    control,
    clock,
    intervalMs: websitesMs,
    settleMs: clockSettleMs,
    log: log.child({ part: 'control' }),
  });
  opened.push(() => websiteCache.stop());
  const lastWebsite = markLastWebsite({
    file: folder.lastWebsite,
    control,
    websiteCache,
    intervalMs: websitesMs,
    againMs: lastWebsiteMs,
    log,
  });
  opened.push(() => lastWebsite.stop());
  const salts = keepSalts({
    salts: control.salts,
    clock,
    log: log.child({ part: 'salts' }),
    lateHours: options.lateHours,
    mayDestroy: () => cluster?.isOwner() ?? !isOneOfSeveral(options),
  });
  opened.push(() => salts.stop());
  await salts.ready;

  const builder = Promise.withResolvers<DayBuilder>();
  const { engine, isEngineReady, address, store, storeWaits, loader, housekeeping, repairs } = startLoading(
    { ...options, journalMaxBytes },
    { ...journalParts, websiteCache, workers, days: builder.promise },
  );
  opened.push(() => housekeeping.stop());
  opened.push(() => storeWaits?.close());
  if (!workers.isAlone()) {
    // While it was alone, this worker had the whole contingents. The others must know what it has accepted.
    await contingent.checkpoint();
    await mkdir(workerFolder(folder.root, 1).root, { recursive: true, mode: 0o700 });
  }
  opened.push(() => workers.kill());
  await workers.start({ engine, loader });

  const keys = await openKeyParts(options, { ledger, idempotencyIndex, storeWaits }, opened);
  const { counts, requestLog, keyUse, recent, ofTracking } = startIntake({
    control,
    websiteCache,
    contingent,
    tally,
    salts,
    journal,
    idempotencyIndex,
    askHolders: keys?.ask,
    storeWaits,
    lateHours: options.lateHours,
    clock,
    log,
  });
  const socketOf = (worker: number) => workerFolder(folder.root, worker).intakeSocket;
  const forward =
    plan.workers > 1 ? createForward({ worker: 1, workers: plan.workers, socketOf }) : undefined;
  const tracking = createTracking({ ...ofTracking, forward });
  const intakeSocket = forward && (await openIntakeSocket(socketOf(1), createTracking(ofTracking)));
  opened.push(() => intakeSocket?.close());

  const ofAll = all.loader(loader);
  const completeUpToMs = () => all.completeUpToMs(loader);
  const holdsFromMs = () =>
    Math.min(clock.now(), workers.holdsFromMs(), ...journal.segments().map(({ createdAt }) => createdAt));
  cluster = startCluster(options, {
    name: ledger.node,
    websiteCache,
    store,
    isStoreReady: loader.isPrepared,
    loader: { completeUpToMs, holdsFromMs, batchEnded: ofAll.batchEnded, isPrepared: loader.isPrepared },
  });
  const { isOwner } = cluster;
  const { days, sweeping, statistics, liveWatcher, live, askedStore } = startStatistics({
    address,
    isEngineReady,
    cluster,
    control,
    websiteCache,
    clock,
    log,
  });
  builder.resolve(days);
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
    outcomes: tally.sinceStart,
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
    keyHolders: keys?.others,
    now: () => clock.now(),
  });
  opened.push(() => metrics.stop());
  const data = startRemovals({
    control,
    websiteCache,
    store: askedStore,
    days,
    loader: withOtherNodes(ofAll, cluster, websiteCache),
    noteErasure: createErasureNoter({ control, s3: options.s3, clock, log: log.child({ part: 'backup' }) }),
    clock,
    journalHoldsFromMs: () => Math.min(holdsFromMs(), cluster!.holdsFromMs()),
    isOwner,
    checkpointUsage: () => all.checkpoint(contingent),
    isStoreReady: isEngineReady,
    clockSettleMs,
    intervalMs: dataMs,
    log: log.child({ part: 'data' }),
  });

  const wantedBuilds =
    cluster.builds &&
    serveWantedBuilds({ ...cluster, wantedBuilds: control.wantedBuilds, days, websiteCache, clock, log });
  const demos = keepDemos({ store, askedStore, days, clock, log: log.child({ part: 'demo' }) });

  const health = () => {
    const own = readHealth({
      journal,
      loader: loader.state(),
      isStoreAway: storeWaits?.isAway() ?? false,
      engine: engine.state(),
      isControlFailing: websiteCache.isFailing(),
      damage: knownDamage.list(),
    });
    const { isAccepting, degraded } = all.health(own);
    return {
      isAccepting,
      degraded: [...degraded, ...describeAway(cluster!.others()), ...(keys?.degraded() ?? [])],
    };
  };
  const progress = () =>
    all.progress({ oldestUnansweredMs: journal.oldestUnansweredMs(), loader: loader.state() });
  const pages = readPageFiles(options.pagesFolder);
  if (pages === undefined)
    log.warn({ folder: options.pagesFolder }, 'the web application is not built: run npm run build');
  const routes = nodeRoutes({
    health,
    progress,
    metrics: () => all.metrics(metrics.registry),
    metricsToken: options.metricsToken,
    statistics,
    websiteCache,
    control,
    contingent: { usage: all.usage(contingent) },
    keyUse,
    recent: (websiteId) => all.recent(recent, websiteId),
    ledger: createLedgerReader({ control, checkpoint: () => all.checkpointThere(contingent), clock }),
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
  const isAllLoaded = async (): Promise<boolean> => {
    // A journal without batches is new: it holds nothing, whether or not the store can be asked.
    if (ledger.state.batches.size === 0 && loader.state().waitingBytes === 0) return true;
    const isLoaded = loader.isLoadedTo(journal.durable()).catch(() => false);
    return await Promise.race([isLoaded, delay(loadedMs, false, { ref: false })]);
  };
  // A broken journal may hold records whose keys nobody knows until it is read again.
  const keysToLeave = (isLoaded: boolean) => (isLoaded && !isBroken ? idempotencyIndex.hashes() : undefined);
  const stopCluster = (isLoaded: boolean): Promise<void> =>
    cluster!
      .stop({ isLoaded })
      .catch((error: unknown) => log.warn({ err: error }, 'cannot tell the other nodes about the stop'));
  await cluster.join();
  opened.push(async () => {
    if (!isOneOfSeveral(options)) return;
    // Right after the start, the store may not have been counted yet.
    const untilMs = clock.monotonicMs() + loadedMs;
    while (!(await isAllLoaded()) && clock.monotonicMs() < untilMs) await delay(100);
    const isLoaded = await isAllLoaded();
    await keys?.close(keysToLeave(isLoaded));
    await stopCluster(isLoaded);
  });
  await keys?.introduce();
  await options.beforeListen();
  await app.listen({ host: options.host, port: options.port });
  workers.share(server, fastLane.adopt);

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
      storeWaits?.stop({ withinMs: storeWaitMs });
      await Promise.all([workers.drain(), stopServer({ server, fastLane, withinMs: 2500 })]);
      await intakeSocket?.close();
      forward?.stop();
      const workersEnded = workers.finish();
      await housekeeping.stop();
      await checking.stop();
      knownDamage.stop();
      storeWaits?.close();
      await loader.stop({ withinMs: 2000 });
      const isLoaded = await isAllLoaded();
      await journal.close();
      const keysClosed = keys?.close(keysToLeave(isLoaded));
      await contingent
        .checkpoint()
        .then(() => contingent.giveBack(0))
        .catch((error: unknown) => log.warn({ err: error }, 'cannot save the monthly usage'));
      websiteCache.stop();
      await lastWebsite.stop();
      salts.stop();
      requestLog.stop();
      metrics.stop();
      sweeping.stop();
      wantedBuilds?.stop();
      await keyUse.stop();
      await demos.stop({ withinMs: 1500 });
      await data.stop({ withinMs: 1500 });
      await days.stop({ withinMs: 1500 });
      await stopCluster(isLoaded);
      await keysClosed;
      await workersEnded;
      await askedStore.close();
      await store.close();
      await engine.stop();
      await ledger.close();
    },
  };
}

const pickLimits = ({ journalRetentionMs, lateHours, minFreeBytes, ack }: NodeOptions) => ({
  ack,
  journalRetentionMs,
  lateHours,
  minFreeBytes,
});
