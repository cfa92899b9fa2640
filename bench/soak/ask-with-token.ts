import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../server/test/torture/create-random.ts';
import { noteFault, type Seen } from './looker.ts';
import { tokenQuestions } from './screen-questions.ts';

const everyMs = 5_000;

/** Asks again and again with a read token, as a program does. */
export async function askWithToken(options: {
  origin: string;
  token: string;
  random: Random;
  seen: Seen;
  signal: AbortSignal;
}): Promise<void> {
  const { origin, token, random, seen, signal } = options;
  try {
    while (!signal.aborted) {
      const response = await fetch(`${origin}/api/stats/query`, {
        method: 'POST',
        signal,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(random.pick(tokenQuestions)),
      });
      const text = await response.text();
      if (response.status === 200) seen.counts.tokenAnswers += 1;
      else noteFault(seen, 'a read token', text);
      await delay(everyMs, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) noteFault(seen, 'a read token', String(error));
  }
}
