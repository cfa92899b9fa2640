/** Time and chance as the client sees them, passed in so that tests don't have to wait. */
export type Clock = {
  /** Milliseconds since 1970, UTC. May jump. */
  now(): number;
  /** Milliseconds that never go back. They may stop while the machine sleeps. */
  monotonicMs(): number;
  /** Returns a number from 0 up to, but not including, 1. */
  random(): number;
  /**
   * Calls the action once, later. Returns a function that cancels it. Only a timer that `keepsAlive` holds up
   * the end of the program.
   */
  startTimer(delayMs: number, action: () => void, options: { keepsAlive: boolean }): () => void;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  random: () => Math.random(),
  startTimer(delayMs, action, { keepsAlive }) {
    const timer: unknown = setTimeout(action, delayMs);
    if (!keepsAlive) release(timer);
    return () => clearTimeout(timer as NodeJS.Timeout);
  },
};

/**
 * Lets the program end before the timer does. If timers are numbers (edge runtimes), none of them keeps
 * anything alive.
 */
function release(timer: unknown): void {
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function') {
    timer.unref();
  }
}

export function wait(clock: Clock, delayMs: number): Promise<void> {
  return new Promise((resolve) => clock.startTimer(delayMs, resolve, { keepsAlive: true }));
}
