import type { Clock } from './clock.ts';

type Timer = { dueMs: number; action: () => void; keepsAlive: boolean };

/** A clock that goes on when a test says so, and chance that always comes out the same. */
export function createTestClock({ random = 1 } = {}) {
  const timers = new Set<Timer>();
  let monotonicMs = 1000;
  let now = Date.UTC(2026, 0, 15);

  const clock: Clock = {
    now: () => now,
    monotonicMs: () => monotonicMs,
    random: () => random,
    startTimer(delayMs, action, { keepsAlive }) {
      const timer = { dueMs: monotonicMs + delayMs, action, keepsAlive };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const nextTimer = () => [...timers].sort((a, b) => a.dueMs - b.dueMs)[0];

  return {
    ...clock,
    timers: () => [...timers],
    /** Goes on by so much, and lets everything happen that is due on the way. */
    async advance(ms: number): Promise<void> {
      const endMs = monotonicMs + ms;
      await settle();
      for (let timer = nextTimer(); timer !== undefined && timer.dueMs <= endMs; timer = nextTimer()) {
        timers.delete(timer);
        now += Math.max(0, timer.dueMs - monotonicMs);
        monotonicMs = Math.max(monotonicMs, timer.dueMs);
        timer.action();
        await settle();
      }
      now += endMs - monotonicMs;
      monotonicMs = endMs;
    },
    setWallClock(ms: number): void {
      now = ms;
    },
    /** Wall clock alone goes on, as when the machine has slept. */
    sleep(ms: number): void {
      now += ms;
    },
  };
}

/** Lets promises that need nothing but turns come to their end. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
