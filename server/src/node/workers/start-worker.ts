import { createServer } from 'node:net';
import { type Control, openControl } from '../../control/open-control.ts';
import { keepSalts } from '../../control/privacy/keep-salts.ts';
import { openWebsiteCache } from '../../control/websites/website-cache.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { takeFolderLock } from '../../files/folder-lock.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { workerFolder } from '../../files/worker-folders.ts';
import { fastLaneTickMs, limits, maxConnections } from '../../http/server/create-server.ts';
import { createTracking } from '../../http/tracking/create-tracking.ts';
import { openFastLane } from '../../http/tracking/fast-lane/open-fast-lane.ts';
import { createForward } from '../../http/tracking/forward-records.ts';
import { openIntakeSocket } from '../../http/tracking/open-intake-socket.ts';
import { createStoreWaits } from '../../intake/store-waits.ts';
import type { GroupReport } from '../../journal/group-commit.ts';
import { startLoader } from '../../loader/start-loader.ts';
import { OperatorError } from '../../operator-error.ts';
import { openStore } from '../../store/open-store.ts';
import { systemClock as clock } from '../../time/clock.ts';
import { createMetrics } from '../create-metrics.ts';
import { clockSettleMs, storeWaitMs } from '../node-options.ts';
import { openJournalParts } from '../open-journal-parts.ts';
import { openLog } from '../open-log.ts';
import { startChecking } from '../start-checking.ts';
import { startHousekeeping } from '../start-housekeeping.ts';
import { startIntake } from '../start-intake.ts';
import { batchLimits, checkMs, websitesMs } from '../start-loading.ts';
import { stopServer } from '../stop-server.ts';
import { giveAway } from './move-connection.ts';
import type { openChannel } from './open-channel.ts';
import { findMovedKeys } from './plan-workers.ts';
import { createRemoteEngine } from './remote-engine.ts';
import { retireWhenDone } from './retire-when-done.ts';
import type {
  EngineView,
  FirstAnswers,
  WorkerAnswers,
  WorkerReport,
  WorkerStart,
} from './worker-protocol.ts';

type First = ReturnType<typeof openChannel<FirstAnswers>>;

const reportMs = 200;
const lockMs = 10_000;
/** Gives answers that are already decided (503) a moment to leave. */
const brokenMs = 200;

/**
 * Puts the parts of a worker together: everything that takes records and brings them into the store. What
 * people look at is the first worker's.
 */
export async function startWorker(
  start: WorkerStart,
  first: First,
): Promise<Omit<WorkerAnswers, 'start'> & { report(): WorkerReport }> {
  const { worker, workers, dataDir } = start;
  const log = openLog({ level: start.logLevel, isTerminal: start.isTerminal }).child({ worker });
  const folder = dataFolder(dataDir);
  const own = workerFolder(dataDir, worker);
  // One after the other, because a killed process may have created only some of them.
  for (const path of [folder.workers, own.root, own.journal]) await makeFolder(path);
  if (takeFolderLock(own.lock, { waitMs: lockMs }) === undefined)
    throw new OperatorError(`${own.root}: another process is running on this folder`);
  const onBroken = (error: Error) => {
    log.error({ err: error }, 'the journal of this worker can no longer be trusted: starting it again');
    setTimeout(() => process.exit(1), brokenMs);
  };
  const control: Control = await openControl({
    folder: folder.control,
    databaseUrl: start.databaseUrl,
    mustExist: true,
    secretKeyFile: start.secretKeyFile,
    clock,
    log,
  });
  const { damage, ledger, journal, contingent, tally, idempotencyIndex, knownDamage } =
    await openJournalParts(
      {
        ...start,
        control,
        clock,
        log,
        folder: { journal: own.journal, damage: folder.damage },
        usedMark: own.used,
        isShared: true,
        movedKeys: await findMovedKeys(dataDir, worker, start),
        onGroup: (report: GroupReport) => metrics.onGroup(report),
        onBroken,
      },
      [],
    );
  knownDamage.stop();
  const websiteCache = await openWebsiteCache({
    control,
    clock,
    intervalMs: websitesMs,
    settleMs: clockSettleMs,
    log: log.child({ part: 'control' }),
  });
  const salts = keepSalts({
    salts: control.salts,
    clock,
    log: log.child({ part: 'salts' }),
    lateHours: start.lateHours,
  });
  await salts.ready;

  const engine = createRemoteEngine((reason, generation) => first.ask('restartEngine', reason, generation));
  const opened = openStore({ socketPath: folder.engineSocket, use: 'loading', log });
  // The first worker does this before it says that the engine is ready.
  const store = {
    ...opened,
    migrate: async () => ({ applied: [] }),
    finishSalvage: async () => {},
    listBrokenParts: async () => [],
  };
  const storeWaits =
    start.ack === 'store'
      ? createStoreWaits({ journal, clock, loadSoon: () => loader.loadSoon() })
      : undefined;
  const loader = startLoader({
    journal,
    ledger,
    store,
    damage,
    clock,
    ...batchLimits,
    engine,
    takeBuildTurn: (work) => work(),
    beforeMending: async () => {},
    // The first worker does this for all of them.
    onOtherStore: async () => {},
    countOnlyInStore: async () => undefined,
    otherLedgers: async () => [],
    isWanted: websiteCache.isWanted,
    waits: storeWaits,
    onBroken,
    log: log.child({ part: 'loader' }),
  });
  const housekeeping = startHousekeeping({
    journal,
    ledger,
    loader,
    contingent,
    idempotencyIndex,
    control: undefined,
    clock,
    clockSettleMs,
    log,
    retentionMs: start.journalRetentionMs,
    pressureBytes: start.journalMaxBytes / 2,
    onBroken,
  });
  const checking = startChecking({
    journal,
    store: { listParts: async () => [], checkPart: async () => undefined, countDamageMet: async () => 0 },
    loader,
    isEngineReady: engine.isReady,
    damage,
    stepMs: checkMs,
    restTimes: 20,
    batchedTo: () => ledger.state.batchedTo,
    log: log.child({ part: 'checks' }),
  });

  const { counts, requestLog, keyUse, recent, ofTracking } = startIntake({
    control,
    websiteCache,
    contingent,
    tally,
    salts,
    journal,
    idempotencyIndex,
    storeWaits,
    lateHours: start.lateHours,
    clock,
    log,
  });
  const socketOf = (owner: number) => workerFolder(dataDir, owner).intakeSocket;
  const forward = createForward({ worker, workers, socketOf });
  const intakeSocket = start.isRetired
    ? undefined
    : await openIntakeSocket(own.intakeSocket, createTracking(ofTracking));
  const server = createServer({ allowHalfOpen: true, noDelay: true });
  server.maxConnections = maxConnections;
  const fastLane = openFastLane({
    server,
    tracking: createTracking({ ...ofTracking, forward }),
    handOver: (socket) =>
      giveAway(socket, (bytes, handle, sent) => first.give('connection', [bytes], handle, sent)),
    keepAliveMs: limits.keepAliveTimeout,
    requestMs: limits.requestTimeout,
    tickMs: fastLaneTickMs,
    log: requestLog,
  });
  const metrics = createMetrics({
    counts,
    outcomes: tally.sinceStart,
    idempotencyIndex,
    journal,
    loader: () => loader.state(),
    // The first worker tells what all of them share.
    engine: () => ({ restarts: 0, isReady: false, rssBytes: 0 }),
    damage: () => [],
    checked: () => checking.progress(),
    live: () => ({ streams: 0, questions: 0 }),
    now: () => clock.now(),
  });

  const report = (): WorkerReport => ({
    completeUpToMs: loader.completeUpToMs(),
    holdsFromMs: journal.segments()[0]?.createdAt ?? 0,
    isFull: journal.isFull(),
    isStoreAway: storeWaits?.isAway() ?? false,
    oldestUnansweredMs: journal.oldestUnansweredMs(),
    isControlFailing: websiteCache.isFailing(),
    loader: loader.state(),
    refused: contingent.refused(clock.now()),
  });
  const reporting = setInterval(() => first.tell('report', report()), reportMs);
  const isJournalEmpty = () => {
    const [only, another] = journal.segments();
    return another === undefined && only!.end === only!.firstFrame;
  };
  const onRetired = () => first.tell('retired');
  const retiring = start.isRetired
    ? retireWhenDone({ isJournalEmpty, contingent, onRetired, log })
    : undefined;

  return {
    report,
    listen(handle?: unknown) {
      server.listen(handle as object);
    },
    engine(view: EngineView) {
      const { isMended, isNowReady } = engine.see(view);
      if (isMended) loader.compareAll();
      if (isNowReady) loader.retryNow();
    },
    async pauseLoading() {
      engine.pause();
      await loader.stepEnded();
    },
    async drainLoader() {
      await websiteCache.refresh();
      await loader.batchEnded();
    },
    receivedTo: loader.receivedTo,
    isLoadedTo: loader.isLoadedTo,
    checkpoint: () => contingent.checkpoint(),
    metrics: () => metrics.registry.getMetricsAsJSON(),
    recent: (websiteId) => ({ ...recent.list(websiteId), unauthorized: recent.lastUnauthorized() }),
    async drain() {
      storeWaits?.stop({ withinMs: storeWaitMs });
      if (server.listening) await stopServer({ server, fastLane, withinMs: 2500 });
    },
    async finish() {
      await retiring?.stop();
      await intakeSocket?.close();
      forward.stop();
      await housekeeping.stop();
      await checking.stop();
      storeWaits?.close();
      await loader.stop({ withinMs: 2000 });
      await journal.close();
      await contingent
        .checkpoint()
        .then(() => contingent.giveBack(0))
        .catch((error: unknown) => log.warn({ err: error }, 'cannot save the monthly usage'));
      clearInterval(reporting);
      websiteCache.stop();
      salts.stop();
      await keyUse.stop();
      await opened.close();
      await ledger.close();
      await control.close();
      // The answer to this leaves first.
      setImmediate(() => process.disconnect?.());
    },
  };
}
