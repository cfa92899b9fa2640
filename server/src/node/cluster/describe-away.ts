import type { SeenNode } from '../../control/nodes/nodes.ts';
import type { Degraded } from '../../http/server/health.ts';

/** A node that said nothing for this long is away. */
export const awayMs = 10_000;

/** Says which nodes are away, for as long as answers and removals wait for them. */
export function describeAway(others: readonly SeenNode[]): Degraded[] {
  return others
    .filter(({ silentMs }) => silentMs > awayMs)
    .map(({ name, silentMs, loadedTo }) => ({
      part: 'nodes',
      why:
        `node ${name} has not been heard of for ${Math.round(silentMs / 1000)} s: statistics stay as of ` +
        `${new Date(loadedTo).toISOString()}, and removals wait for it; start it again, or, ` +
        `if it is gone for good, run \`trackside node retire ${name}\``,
    }));
}
