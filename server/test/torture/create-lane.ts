import { once } from 'node:events';
import { createConnection, type NetConnectOpts, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cut } from './plan-round.ts';

/** How late everything arrives on a slow connection. */
const slowMs = 150;

type Pair = { near: Socket; far: Socket };

export type Lane = ReturnType<typeof createLane>;

/** Passes connections of one client on to a service, and fails as networks do. The near end is the client's. */
export function createLane(target: NetConnectOpts) {
  const pairs = new Set<Pair>();
  let cut: Cut | undefined;

  const pass = (from: Socket, to: Socket): void => {
    from.on('data', (bytes) => {
      // One after the other, so that a delay doesn't change the order.
      from.pause();
      const deliver = async () => {
        if (cut === 'slow') await delay(slowMs);
        if (!to.destroyed && !to.write(bytes)) await Promise.race([once(to, 'drain'), once(to, 'close')]);
        if (!isSilent()) from.resume();
      };
      deliver().catch(() => from.destroy());
    });
  };
  const isSilent = () => cut !== undefined && cut !== 'slow';

  return {
    accept(near: Socket): void {
      if (cut === 'refused' || cut === 'node-gone') {
        near.resetAndDestroy();
        return;
      }
      const pair = { near, far: createConnection(target) };
      pairs.add(pair);
      for (const [one, other] of [
        [near, pair.far],
        [pair.far, near],
      ] as const) {
        one.setNoDelay(true);
        one.on('error', () => {});
        one.on('close', () => {
          if (!isSilent()) other.destroy();
          if (near.destroyed && pair.far.destroyed) pairs.delete(pair);
        });
      }
      pass(near, pair.far);
      pass(pair.far, near);
      if (isSilent()) for (const one of [near, pair.far]) one.pause();
    },
    async cut(how: Cut): Promise<void> {
      cut = how;
      for (const { near, far } of pairs) {
        if (how === 'slow') continue;
        for (const one of [near, far]) one.pause();
        if (how === 'refused' || how === 'node-gone') near.resetAndDestroy();
        if (how === 'refused' || how === 'service-gone') far.destroy();
      }
    },
    /** What was held back arrives now. What has lost its other end hears of it now. */
    async mend(): Promise<void> {
      cut = undefined;
      for (const { near, far } of pairs) {
        if (near.destroyed || far.destroyed) for (const one of [near, far]) one.destroy();
        else for (const one of [near, far]) one.resume();
      }
    },
    close(): void {
      for (const { near, far } of pairs) for (const one of [near, far]) one.destroy();
    },
  };
}
