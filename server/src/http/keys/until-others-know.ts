import { setTimeout as delay } from 'node:timers/promises';
import type { KeyHolders } from '../../control/nodes/key-holders.ts';
import type { Clock } from '../../time/clock.ts';

const lookMs = 100;

/**
 * Settles when every other node that is there has read the list of nodes since this call, or when the time is
 * up. Each of them says that it is there, reads the list, and says so again: whoever was seen to say it twice
 * has read the list in between.
 */
export async function untilOthersKnow(parts: {
  holders: Pick<KeyHolders, 'list'>;
  /** The name of this node. */
  self: string;
  clock: Pick<Clock, 'monotonicMs'>;
  withinMs: number;
}): Promise<void> {
  const { holders, self, clock, withinMs } = parts;
  const untilMs = clock.monotonicMs() + withinMs;
  const said = new Map<string, Set<number>>();
  /** The first time that a node was seen is from before this call. */
  const look = async () => {
    const others = (await holders.list()).filter(({ name, leftAt }) => name !== self && leftAt === null);
    for (const { name, seenAt } of others) said.set(name, (said.get(name) ?? new Set()).add(seenAt));
    return others.every(({ name }) => said.get(name)!.size > 2);
  };
  // Without the database, only the time tells.
  while (!(await look().catch(() => false))) {
    const leftMs = untilMs - clock.monotonicMs();
    if (leftMs <= 0) return;
    await delay(Math.min(lookMs, leftMs));
  }
}
