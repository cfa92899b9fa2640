import { setTimeout as delay } from 'node:timers/promises';

const firstPauseMs = 20;
const maxPauseMs = 250;

/**
 * Waits for a condition, and says which one when it does not come. What has taken long is looked for less
 * often, because many conditions ask the store: it costs a tenth of the time at most, and spares most of the
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
