import type { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const checkMs = 10_000;
/** Above this share of its time, the process has something to do, and nobody should wait for the collector. */
const idleShare = 0.1;

/**
 * Gives back what the start has left behind, once, as soon as the process is idle: about 20 MB, for 75 ms of
 * processor time. Without records, V8 wouldn't collect by itself for hours.
 */
export function collectStartGarbage({
  utilization,
  collect,
}: {
  utilization: typeof performance.eventLoopUtilization;
  collect: () => void;
}): void {
  let before = utilization();
  const timer = setInterval(() => {
    const now = utilization();
    const share = utilization(now, before).utilization;
    before = now;
    if (share > idleShare) return;
    clearInterval(timer);
    collect();
  }, checkMs);
  timer.unref();
}

/** Node has no function for this. The flag adds one to contexts that are created from now on. */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const gc: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  gc();
}
