import { setTimeout as delay } from 'node:timers/promises';
import type { Control } from '../../control/open-control.ts';
import { createAskOwner } from '../../node/cluster/ask-owner.ts';
import { leaseMs } from '../../node/cluster/keep-ownership.ts';
import { killBuilds } from '../../node/cluster/kill-builds.ts';
import type { DayBuilderOptions } from '../../stats/days/day-builder.ts';
import { fenceBuilds } from '../../store/build-fences.ts';
import type { Store } from '../../store/open-store.ts';
import { CommandError, type CommandInput } from '../command.ts';
import { isClusterRunning } from './is-cluster-running.ts';
import { readCompleteness } from './read-completeness.ts';
import { readOutsideStore } from './read-outside-store.ts';
import { withControl } from './with-control.ts';

/** What a command builds days with. */
export type BuildParts = Pick<
  DayBuilderOptions,
  'store' | 'completeUpToMs' | 'owner' | 'fence' | 'learnCompleteMs'
>;

/** What a command needs days for. Those who remove must own the builds, because nothing may be built meanwhile. */
type Use = 'asking' | 'rebuilding' | 'removing';

const renewMs = 1_000;

/**
 * Lets a command build days. Where several servers share a store, the one that owns the builds does it, so that
 * questions and removals go on. Without one, the command takes the ownership until a server wants it.
 */
export async function withBuilds<T>(
  input: CommandInput,
  store: Store,
  { use }: { use: Use },
  work: (parts: BuildParts) => Promise<T>,
): Promise<T> {
  const { config, clock } = input;
  const latestMs = await readCompleteness(store, config.dataDir, clock);
  const outside = readOutsideStore(config);
  // No two processes of a machine have the same number at the same time.
  const alone = { store, completeUpToMs: () => latestMs, fence: () => process.pid };
  if (config.databaseUrl === undefined || outside === undefined) return await work(alone);
  return await withControl(input, async (control) => {
    const nodes = await control.nodes.list();
    const completeMs = nodes.some(({ hasLeft }) => !hasLeft) ? await control.nodes.completeTo() : latestMs;
    const completeUpToMs = () => completeMs;
    const askFor = createAskOwner(control);
    const current = await control.ownership.owner(leaseMs);
    if (use === 'rebuilding' && current !== undefined && !nodes.some(({ name }) => name === current.node))
      throw new CommandError(`\`${current.node}\` is calculating days. Try again when it has ended.`);
    if (use !== 'removing' && (current !== undefined || (await isClusterRunning(control))))
      return await work({ store, completeUpToMs, owner: { isHere: () => false, askFor } });

    const node = `trackside ${input.name} ${process.pid}`;
    const above = await store.readFence();
    const fence = (await control.ownership.take({ node, fence: undefined, leaseMs, above, isForced: true }))!;
    const held = holdOwnership(control, { node, fence, mayHandOver: use !== 'removing' });
    const ofWebsite: Store['ofWebsite'] = (websiteId) => fenceBuilds(store.ofWebsite(websiteId), fence);
    try {
      await store.raiseFence(fence, node);
      await killBuilds(outside);
      const owner = use === 'removing' ? undefined : { isHere: held.isHeld, askFor };
      return await work({ store: { ...store, ofWebsite }, completeUpToMs, fence: () => fence, owner });
    } finally {
      await held.end();
    }
  });
}

/** Renews the ownership. If it is lost, the store refuses what the command writes, and the new owner is asked. */
function holdOwnership(
  control: Pick<Control, 'nodes' | 'ownership'>,
  { mayHandOver, ...held }: { node: string; fence: number; mayHandOver: boolean },
) {
  const ending = new AbortController();
  let isHeld = true;

  async function keepRenewing(): Promise<void> {
    while (isHeld && !ending.signal.aborted) {
      await delay(renewMs, undefined, { signal: ending.signal }).catch(() => {});
      if (ending.signal.aborted) return;
      isHeld = await control.ownership.renew(held).catch(() => isHeld);
      // A server that was started in the meantime also runs removals.
      if (isHeld && mayHandOver && (await isClusterRunning(control).catch(() => false))) {
        isHeld = false;
        await control.ownership.release(held.fence);
      }
    }
  }

  const renewing = keepRenewing();
  return {
    isHeld: () => isHeld,
    async end(): Promise<void> {
      ending.abort();
      await renewing;
      await control.ownership.release(held.fence);
    },
  };
}
