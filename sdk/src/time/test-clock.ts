import type { Clock } from './clock.ts';

type Timer = { dueMs: number; action: () => void; keepsAlive: boolean };

/** Creates a clock that moves when a test says so, and whose random number is always the same. */
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
    /** Moves forward, and runs everything that is due on the way. */
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
    /** Moves only the wall clock, as if the machine had slept. */
    sleep(ms: number): void {
      now += ms;
    },
  };
}

/** Lets pending promises settle that need no more than turns of the event loop. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
