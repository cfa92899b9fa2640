import { setTimeout as delay } from 'node:timers/promises';
import { NodeDestroyed, type NodeReport, type SeenNode } from '../../control/nodes/nodes.ts';
import type { Control } from '../../control/open-control.ts';
import type { WebsiteCache } from '../../control/websites/website-cache.ts';
import type { Log } from '../../log.ts';
import { OperatorError } from '../../operator-error.ts';
import { createToldTimes } from '../../stats/days/told-times.ts';
import { NodeAway } from '../../stats/faults.ts';
import type { Clock } from '../../time/clock.ts';
import { createAskOwner } from './ask-owner.ts';
import type { keepOwnership } from './keep-ownership.ts';
import type { NodeCluster } from './node-cluster.ts';

const beatMs = 500;
const lookMs = 100;
/** How long a removal waits for the other nodes before it is tried again. */
const confirmWithinMs = 30_000;
/** A clock that is further behind than this is set wrong. */
const clockPatienceMs = 10_000;

type Options = {
  name: string;
  control: Pick<Control, 'nodes' | 'ownership' | 'toldTimes' | 'wantedBuilds'>;
  websiteCache: Pick<WebsiteCache, 'revision'>;
  ownership: ReturnType<typeof keepOwnership>;
  loader: {
    /** Everything that this node acknowledged by this time is in the store. */
    completeUpToMs(): number;
    holdsFromMs(): number;
    /** Settles when no row is on its way into the store that was read before now. */
    batchEnded(): Promise<void>;
    /** Whether the store is known to have everything that was loaded. */
    isPrepared(): boolean;
  };
  clock: Clock;
  log: Log;
  /** Called if this node may no longer acknowledge anything. */
  onBroken: (error: Error) => void;
};

/** Makes a node one of several on a store: says what it has loaded, and learns what others have. */
export function joinCluster(options: Options): NodeCluster {
  const { name, control, websiteCache, ownership, loader, clock, log, onBroken } = options;
  const askFor = createAskOwner(control);
  const ownTold = createToldTimes();
  let seen: readonly SeenNode[] = [];
  let completeMs = 0;
  let knownRevision = 0;
  let isSettling = false;
  let isStopped = false;

  const report = (): NodeReport => ({
    name,
    address: null,
    sharesStore: true,
    loadedTo: loader.completeUpToMs(),
    knownRevision,
    holdsFrom: loader.holdsFromMs(),
  });

  /** Notes the revision by which this node leaves rows out, once the batch that was read before has ended. */
  async function settle(): Promise<void> {
    isSettling = true;
    const revision = websiteCache.revision();
    await loader.batchEnded().catch(() => {});
    // An INSERT that has failed may still be running.
    if (loader.isPrepared()) knownRevision = revision;
    isSettling = false;
  }

  async function register(): Promise<void> {
    // Refused before the node is known: nobody may wait for one that does not start.
    const { completeTo } = await control.nodes.register(report(), refuseLateClock);
    const behindMs = completeTo - clock.now();
    // Answers have said that everything up to this time is counted, so no record may get an earlier time.
    if (behindMs >= 0) await delay(behindMs + 1);
  }

  function refuseLateClock(completeTo: number): void {
    const behindMs = completeTo - clock.now();
    if (behindMs > clockPatienceMs)
      throw new OperatorError(
        `The clock of this server is ${Math.round(behindMs / 1000)} s behind the clocks of other nodes. ` +
          'Set it, for example with NTP, and start the server again.',
      );
  }

  async function learn(): Promise<number> {
    completeMs = Math.max(completeMs, await control.nodes.completeTo());
    return completeMs;
  }

  async function beat(): Promise<void> {
    if (!isSettling) void settle();
    if (!(await control.nodes.heartbeat(report()))) {
      log.warn('this node was retired: registering again');
      await register().catch((error: unknown) => {
        if (error instanceof NodeDestroyed) onBroken(error);
        throw error;
      });
    }
    seen = await control.nodes.list();
    await learn();
  }

  // Apart from each other: nobody may take this node for dead because the store is slow.
  const loops = [
    createLoop(beat, 'the other nodes cannot be seen: trying again'),
    createLoop(() => ownership.renew(), 'cannot become the node that builds days: trying again'),
  ];
  function createLoop(work: () => Promise<void>, failure: string) {
    let isFailing = false;
    let timer: NodeJS.Timeout | undefined;
    let running: Promise<void> = Promise.resolve();
    const run = (): Promise<void> => {
      running = work()
        .then(
          () => {
            isFailing = false;
          },
          (error: unknown) => {
            if (!isFailing && !isStopped) log.error({ err: error }, failure);
            isFailing = true;
          },
        )
        .finally(() => {
          if (!isStopped) timer = setTimeout(run, beatMs).unref();
        });
      return running;
    };
    return {
      run,
      async stop() {
        clearTimeout(timer);
        await running;
      },
    };
  }

  const isWaitedFor = (node: SeenNode) => node.sharesStore && !node.hasLeft && node.name !== name;

  return {
    completeUpToMs: () => completeMs,
    // Without the database, what was learned last is still true.
    learnCompleteMs: () => learn().catch(() => completeMs),
    told: {
      // Without the database, what this node has told itself still holds.
      read: async (websiteId) =>
        Math.max(ownTold.read(websiteId), await control.toldTimes.read(websiteId).catch(() => 0)),
      async raise(websiteId, ms) {
        ownTold.raise(websiteId, ms);
        await control.toldTimes.raise(websiteId, ms).catch(() => {});
      },
    },
    isOwner: ownership.isOwner,
    fence: ownership.fence,
    builds: { isHere: ownership.isOwner, askFor },
    others: () => seen.filter(isWaitedFor),
    async untilAllKnow(revision) {
      for (let waitedMs = 0; ; waitedMs += lookMs) {
        const behind = (await control.nodes.list()).filter(
          (node) => isWaitedFor(node) && node.knownRevision < revision,
        );
        if (behind.length === 0) return;
        const names = behind.map((node) => node.name).join(', ');
        if (waitedMs >= confirmWithinMs || isStopped || !ownership.isOwner())
          throw new NodeAway(`records are removed as soon as all nodes have confirmed it; missing: ${names}`);
        await delay(lookMs, undefined, { ref: false });
      }
    },
    async haveAllLoaded(ms) {
      return (await control.nodes.list()).every((node) => !isWaitedFor(node) || node.loadedTo >= ms);
    },
    holdsFromMs: () =>
      Math.min(
        ...seen.filter((node) => node.name !== name).map(({ holdsFrom }) => holdsFrom),
        Number.POSITIVE_INFINITY,
      ),
    async join() {
      await register();
      await loops[0]!.run();
      void loops[1]!.run();
    },
    async stop({ isLoaded }) {
      isStopped = true;
      await Promise.all(loops.map((loop) => loop.stop()));
      await ownership.giveUp();
      if (isLoaded) await control.nodes.leave(name);
    },
  };
}
