import type { Control } from '../../control/open-control.ts';
import type { Log } from '../../log.ts';
import type { Store } from '../../store/open-store.ts';
import type { Clock } from '../../time/clock.ts';

/** An owner that the database hasn't heard of for this long is replaced. */
export const leaseMs = 5_000;
/** The owner stops a little earlier, by its own clock. */
const marginMs = 1_000;

type Options = {
  node: string;
  ownership: Control['ownership'];
  store: Pick<Store, 'readFence' | 'raiseFence'>;
  isStoreReady: () => boolean;
  /** Ends the statements of earlier owners that are still running in the store. */
  killBuilds: () => Promise<void>;
  clock: Pick<Clock, 'monotonicMs'>;
  log: Log;
};

/**
 * Holds the ownership of one-at-a-time jobs, or takes it over. A new owner first makes the store refuse what
 * the earlier one may still want to write, however long that was frozen.
 */
export function keepOwnership(options: Options) {
  const { node, ownership, store, isStoreReady, killBuilds, clock, log } = options;
  let claimed: number | undefined;
  /** The fence that the store knows, so that this node may begin. */
  let armed: number | undefined;
  let renewedMs = Number.NEGATIVE_INFINITY;

  async function giveUp(): Promise<void> {
    const fence = claimed;
    claimed = undefined;
    armed = undefined;
    if (fence !== undefined) await ownership.release(fence);
  }

  async function arm(fence: number): Promise<void> {
    const above = await store.readFence();
    if (above >= fence) {
      // Another database was used with this store before.
      claimed = await ownership.take({ node, fence: undefined, leaseMs, above });
      if (claimed === undefined) return;
    }
    const own = claimed!;
    await store.raiseFence(own, node);
    await killBuilds();
    armed = own;
    log.info({ fence: own }, 'this node builds days and runs removals from now on');
  }

  const isOwner = () =>
    armed !== undefined && armed === claimed && clock.monotonicMs() - renewedMs < leaseMs - marginMs;

  return {
    isOwner,
    fence: (): number | undefined => (isOwner() ? armed : undefined),
    async renew(): Promise<void> {
      // Another node may reach the store.
      if (!isStoreReady()) return await giveUp();
      const beganMs = clock.monotonicMs();
      const fence = await ownership.take({ node, fence: claimed, leaseMs });
      if (fence !== claimed && armed !== undefined) {
        log.warn({ fence: armed }, 'another node builds days and runs removals now');
        armed = undefined;
      }
      claimed = fence;
      if (fence !== undefined) renewedMs = beganMs;
      if (fence !== undefined && armed !== fence) await arm(fence);
    },
    giveUp,
  };
}
