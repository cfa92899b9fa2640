import { existsSync, readFileSync } from 'node:fs';
import { waitFor } from '../support/wait-for.ts';
import { maxPauseRatio } from './run-fuzz.ts';

/** The longest turns of the event loop in milliseconds of processor time, with each kind of requests. */
export type Pauses = { harmlessMs: number; hostileMs: number; ratio: number };

type Noted = { at: number; longestMs: number };

/**
 * Lets harmless and hostile requests take turns, and compares how long they keep the event loop busy at once.
 * A slow machine lengthens both.
 */
export async function comparePauses(options: {
  /** Where `watch-pauses.ts` notes them. */
  file: string;
  rounds: number;
  sendHarmless: (round: number) => Promise<void>;
  sendHostile: (round: number) => Promise<void>;
}): Promise<Pauses> {
  const { file, rounds, sendHarmless, sendHostile } = options;
  const measure = async (send: () => Promise<void>): Promise<number> => {
    const from = await untilNoted(file);
    await send();
    const to = await untilNoted(file);
    return Math.max(
      ...readNoted(file)
        .filter(({ at }) => at > from && at <= to)
        .map(({ longestMs }) => longestMs),
    );
  };
  let [harmlessMs, hostileMs] = [0, 0];
  for (let round = 0; round < rounds; round += 1) {
    harmlessMs = Math.max(harmlessMs, await measure(() => sendHarmless(round)));
    const sendAgain = () => measure(() => sendHostile(round));
    const firstMs = await sendAgain();
    // The same requests take as long again, but garbage is not collected in the same place.
    const isLong = firstMs > maxPauseRatio * harmlessMs;
    hostileMs = Math.max(hostileMs, isLong ? Math.min(firstMs, await sendAgain()) : firstMs);
  }
  return { harmlessMs, hostileMs, ratio: hostileMs / harmlessMs };
}

/** Waits until everything up to now is noted, and returns when it was. */
async function untilNoted(file: string): Promise<number> {
  const since = Date.now();
  const newest = () => readNoted(file).at(-1)?.at ?? 0;
  await waitFor('the turns of the event loop to be noted', () => newest() > since);
  return newest();
}

const readNoted = (file: string): Noted[] =>
  (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [])
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Noted);
