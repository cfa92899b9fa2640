import { setTimeout as delay } from 'node:timers/promises';

/** Waits for a condition. If it never becomes true, the error names it. */
export async function waitFor(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const withinMs = 300_000;
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain for ${what}`);
    await delay(5);
  }
}
