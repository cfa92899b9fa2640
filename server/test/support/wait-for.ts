import { setTimeout as delay } from 'node:timers/promises';

const firstPauseMs = 20;
const maxPauseMs = 250;

/**
 * Waits for a condition, and names it if it never becomes true. A condition that takes long is checked less
 * often, because many conditions ask the store. This adds at most a tenth to the wait, and saves most of the
 * questions.
 */
export async function waitFor(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> {
  const startMs = performance.now();
  while (!(await condition())) {
    const waitedMs = performance.now() - startMs;
    if (waitedMs > withinMs) throw new Error(`waited ${withinMs} ms in vain for ${what}`);
    await delay(Math.min(Math.max(firstPauseMs, waitedMs / 10), maxPauseMs));
  }
}
