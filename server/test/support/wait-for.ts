import { setTimeout as delay } from 'node:timers/promises';

const firstPauseMs = 20;
const maxPauseMs = 250;

/**
 * Waits for a condition, and names it if it never becomes true. What takes long to check or to become true is
 * checked less often: many conditions ask the store, which takes 10 to 30 ms of processor time. This adds at
 * most a third to a long wait, and saves most of the questions.
 */
export async function waitFor(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 300_000,
): Promise<void> {
  const startMs = performance.now();
  for (;;) {
    const checkedAtMs = performance.now();
    if (await condition()) return;
    const tookMs = performance.now() - checkedAtMs;
    const waitedMs = performance.now() - startMs;
    if (waitedMs > withinMs) throw new Error(`waited ${withinMs} ms in vain for ${what}`);
    await delay(Math.min(Math.max(firstPauseMs, waitedMs / 3, 6 * tookMs), maxPauseMs));
  }
}
