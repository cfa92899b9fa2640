import { AggregatorRegistry, type MetricObject, type Registry } from 'prom-client';
import type { Health, Progress } from '../../http/server/health.ts';
import { kept, type RecentRequests, type WatchedRequests } from '../../http/tracking/recent-requests.ts';
import type { Contingent } from '../../intake/contingent/contingent.ts';
import type { Loader } from '../../loader/start-loader.ts';
import type { RemovalParts } from '../../removal/removal-parts.ts';
import type { EngineState } from '../engine-state.ts';
import { readHealth } from '../read-health.ts';
import type { Workers } from './supervise-workers.ts';

/** What the first worker says of itself, completed with what the others say. */
export function createAllWorkers(workers: Workers) {
  /** The first worker tells about the engine, control and damage, which all of them share. */
  const shared = {
    engine: { state: 'ready', restarts: 0, brokenParts: 0, sinceMs: 0 } satisfies EngineState,
    isControlFailing: false,
    damage: [],
  };

  return {
    health(own: Health): Health {
      const degraded = [...own.degraded];
      let { isAccepting } = own;
      for (const { worker, report, lastError, channel } of workers.list()) {
        if (channel === undefined || report === undefined) {
          const why = lastError === undefined ? '' : `: ${lastError}`;
          degraded.push({ part: 'worker', why: `worker ${worker} is starting${why}` });
          continue;
        }
        const journal = { isFull: () => report.isFull, oldestUnansweredMs: () => report.oldestUnansweredMs };
        const { isStoreAway } = report;
        const health = readHealth({ ...shared, journal, loader: report.loader, isStoreAway });
        for (const fault of health.degraded)
          degraded.push({ ...fault, why: `worker ${worker}: ${fault.why}` });
        isAccepting &&= health.isAccepting;
      }
      return { isAccepting, degraded };
    },
    progress(own: Progress): Progress {
      const all = workers.list().flatMap(({ report }) => (report === undefined ? [] : [report]));
      return all.reduce(
        (sum, { oldestUnansweredMs, loader }) => ({
          oldestUnansweredMs: Math.max(sum.oldestUnansweredMs, oldestUnansweredMs),
          loader: {
            lagMs: Math.max(sum.loader.lagMs, loader.lagMs),
            waitingBytes: sum.loader.waitingBytes + loader.waitingBytes,
            toCompareBatches: sum.loader.toCompareBatches + loader.toCompareBatches,
            toLoadAgain: {
              batches: sum.loader.toLoadAgain.batches + loader.toLoadAgain.batches,
              records: sum.loader.toLoadAgain.records + loader.toLoadAgain.records,
            },
          },
        }),
        own,
      );
    },
    async metrics(own: Registry): Promise<Registry> {
      if (workers.isAlone()) return own;
      const others = await workers.askThere((channel) => channel.ask('metrics'));
      const all = [await own.getMetricsAsJSON(), ...(others as MetricObject[][])];
      return AggregatorRegistry.aggregate(all);
    },
    async recent(own: RecentRequests, websiteId: number): Promise<WatchedRequests> {
      const ofFirst = { ...own.list(websiteId), unauthorized: own.lastUnauthorized() };
      const others = await workers.askThere((channel) => channel.ask('recent', websiteId));
      const all: WatchedRequests[] = [ofFirst, ...others];
      return {
        requests: all
          .flatMap(({ requests }) => requests)
          .sort((a, b) => b.atMs - a.atMs)
          .slice(0, kept),
        skipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
        excluded: all.reduce((sum, { excluded }) => sum + excluded, 0),
        unauthorized: all
          .map(({ unauthorized }) => unauthorized)
          .filter((sender) => sender !== undefined)
          .sort((a, b) => b.atMs - a.atMs)[0],
      };
    },
    usage:
      (own: Contingent): Contingent['usage'] =>
      (websiteId, nowMs) => {
        const { used, refused, resetsAtMs } = own.usage(websiteId, nowMs);
        const elsewhere = workers
          .list()
          .flatMap(({ report }) => report?.refused ?? [])
          .filter(([id]) => id === websiteId)
          .reduce((sum, [, records]) => sum + records, 0);
        return { used, refused: refused + elsewhere, resetsAtMs };
      },
    /** Everything that was received by this time is in the store. */
    completeUpToMs: (own: Loader): number => Math.min(own.completeUpToMs(), workers.completeUpToMs()),
    /** What removals need of all loaders. It fails while a worker is away, and is tried again. */
    loader: (own: Loader): RemovalParts['loader'] => ({
      async receivedTo(agoMs) {
        const others = await workers.askAll(async (channel, worker) => {
          const end = await channel.ask('receivedTo', agoMs);
          return end && { ...end, worker };
        });
        const first = own.receivedTo(agoMs);
        const ends = [first && { ...first, worker: 1 }, ...others];
        return ends.every((end) => end !== undefined) ? ends : undefined;
      },
      async isLoadedTo(ends) {
        const endOf = (worker: number) => ends.find((end) => end.worker === worker);
        const loaded = await workers.askAll(async (channel, worker) => {
          const end = endOf(worker);
          return end === undefined || (await channel.ask('isLoadedTo', end));
        });
        return (await own.isLoadedTo(endOf(1)!)) && loaded.every((isLoaded) => isLoaded);
      },
      async batchEnded() {
        await Promise.all([own.batchEnded(), workers.askAll((channel) => channel.ask('drainLoader'))]);
      },
    }),
    /** Has each worker that is there write down what it has counted. */
    async checkpointThere(own: Contingent): Promise<void> {
      await Promise.all([own.checkpoint(), workers.askThere((channel) => channel.ask('checkpoint'))]);
    },
    async checkpoint(own: Contingent): Promise<void> {
      await Promise.all([own.checkpoint(), workers.askAll((channel) => channel.ask('checkpoint'))]);
    },
  };
}
