import { setTimeout as delay } from 'node:timers/promises';

/** Waits for a condition, and says which one when it does not come. */
export async function waitFor(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain for ${what}`);
    await delay(20);
  }
}
