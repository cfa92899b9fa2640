import { setTimeout as delay } from 'node:timers/promises';

/** A bucket or a network drive can take very long to say that it is away. */
const patienceMs = 15_000;

/** Waits for a place with backups, but not for long. */
export async function withinPatience<T>(answer: Promise<T>): Promise<T> {
  return await Promise.race([answer, tooLong()]);
}

async function tooLong(): Promise<never> {
  await delay(patienceMs, undefined, { ref: false });
  throw new Error(`it has not responded for ${patienceMs / 1000} s`);
}
