/** Each look is due so long after the last one. */
const lookEveryMs = 500;
/** A process that waits for the processor for more of its time than this is starved. */
const starvedShare = 0.25;
/** A machine that was asleep is late once. */
const fewestLate = 3;

/**
 * Calls `onStarved` once, when other programs have left this process too little of the processor for so long. Its
 * event loop has next to nothing to do, so it is late only if it isn't allowed to run.
 */
export function watchStarvation(withinMs: number, onStarved: () => void): void {
  const isStarved = createStarvation(withinMs, performance.now());
  const timer = setInterval(() => {
    if (!isStarved(performance.now())) return;
    clearInterval(timer);
    onStarved();
  }, lookEveryMs);
  timer.unref();
}

/** Returns a function that is told the time of each look, and returns whether the process is starved. */
export function createStarvation(withinMs: number, startMs: number): (nowMs: number) => boolean {
  let looks: { atMs: number; lateMs: number }[] = [];
  let lastMs = startMs;
  return (nowMs) => {
    looks.push({ atMs: nowMs, lateMs: Math.max(0, nowMs - lastMs - lookEveryMs) });
    lastMs = nowMs;
    looks = looks.filter(({ atMs }) => atMs > nowMs - withinMs);
    if (nowMs - startMs < withinMs) return false;
    const late = looks.filter(({ lateMs }) => lateMs > lookEveryMs * starvedShare);
    const lateMs = late.reduce((sum, look) => sum + look.lateMs, 0);
    return late.length >= fewestLate && lateMs > withinMs * starvedShare;
  };
}
