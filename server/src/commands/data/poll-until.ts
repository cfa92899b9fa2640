import { setTimeout as delay } from 'node:timers/promises';

const lookEveryMs = 200;

/** Calls `look` until it returns something. Returns undefined when `withinMs` has passed. */
export async function pollUntil<T>(
  withinMs: number,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const deadlineMs = performance.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== undefined || performance.now() > deadlineMs) return found;
    await delay(lookEveryMs);
  }
}
