import type { Control } from '../control/open-control.ts';
import type { WebsiteCache } from '../control/websites/website-cache.ts';
import { createLiveStreams } from '../http/app/live-streams.ts';
import { readStatsFault } from '../http/stats/read-stats-fault.ts';
import type { Log } from '../log.ts';
import { createStatistics } from '../stats/create-statistics.ts';
import { createDayBuilder } from '../stats/days/day-builder.ts';
import { watchLive } from '../stats/live/watch-live.ts';
import { fenceBuilds } from '../store/build-fences.ts';
import { openStore, type Store } from '../store/open-store.ts';
import type { StoreAddress } from '../store/store-address.ts';
import type { Clock } from '../time/clock.ts';
import type { NodeCluster } from './cluster/node-cluster.ts';
import { startSweeping } from './start-sweeping.ts';

type Options = {
  address: StoreAddress;
  isEngineReady: () => boolean;
  cluster: NodeCluster;
  control: Pick<Control, 'goals' | 'savedSegments'>;
  websiteCache: Pick<WebsiteCache, 'get'>;
  clock: Clock;
  log: Log;
};

/** The number of records that one statement assigns to visits, at about 1 KB of memory each. */
const recordsPerSlice = 200_000;
const sharedMs = 500;
const liveMs = { restMs: 2000, repeatMs: 10_000 };
const liveCheckMs = 7500;
const liveLimits = { all: 2000, byLinks: 1500, ofOne: 200 };

/**
 * Puts together the parts that answer questions: the store, the days that are built from it, and the live
 * view.
 */
export function startStatistics(options: Options) {
  const { address, isEngineReady, cluster, control, websiteCache, clock, log } = options;
  const { completeUpToMs, learnCompleteMs, builds: owner } = cluster;
  const statsLog = log.child({ part: 'stats' });
  const store = openStore({ ...address, use: 'asking', log: statsLog });
  const days = createDayBuilder({
    store: owner === undefined ? store : ofOwner(store, cluster.fence),
    clock,
    completeUpToMs,
    learnCompleteMs,
    told: cluster.told,
    owner,
    fence: () => cluster.fence() ?? 0,
    log: statsLog,
    recordsPerSlice,
    // An answer that is shared for a while would be behind one that another node gives in the meantime.
    sharedMs: owner === undefined ? sharedMs : 0,
    rulesOf: websiteCache.get,
  });
  const mayBuild = () => isEngineReady() && cluster.isOwner();
  const sweeping = startSweeping({ days, mayBuild, clock, log: statsLog });
  const statistics = createStatistics({
    store,
    clock,
    completeUpToMs: learnCompleteMs,
    days,
    saved: { goalsOf: control.goals.list, findSegment: control.savedSegments.find },
  });
  const liveWatcher = watchLive({
    // Its settings may change while someone watches.
    ask: (website) => statistics.liveScene(websiteCache.get(website.id) ?? website),
    readFault: readStatsFault,
    ...liveMs,
    clock,
    log: statsLog,
  });
  const live = createLiveStreams({ watcher: liveWatcher, limits: liveLimits, checkMs: liveCheckMs });
  return { askedStore: store, days, sweeping, statistics, liveWatcher, live };
}

/** The builds of each website are those of the ownership in which they begin. */
function ofOwner(store: Store, fence: NodeCluster['fence']): Pick<Store, 'ofWebsite' | 'query'> {
  return { ...store, ofWebsite: (websiteId) => fenceBuilds(store.ofWebsite(websiteId), fence()) };
}
