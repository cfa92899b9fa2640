import { setTimeout as delay } from 'node:timers/promises';

const lookEveryMs = 200;

/** Looks until there is something, or for as long as told; undefined then. */
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
