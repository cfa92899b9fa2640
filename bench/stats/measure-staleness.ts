import { setTimeout as delay } from 'node:timers/promises';
import { askScreen } from './ask-screen.ts';
import { firstScreen } from './first-screen.ts';
import type { Asking } from './make-websites.ts';
import { plainBodies } from './plain-bodies.ts';
import { median, showTimes } from './time-work.ts';

/** Measures how old the numbers on the screen are while records come in. */
export async function measureStaleness(
  origin: string,
  { token, apiKey }: Asking,
  bodies = plainBodies(),
): Promise<string> {
  const ages: number[] = [];
  const times: number[] = [];
  const untilMs = performance.now() + 20_000;
  while (performance.now() < untilMs) {
    for (const { path, body } of bodies)
      await fetch(`${origin}${path}`, { method: 'POST', headers: { Authorization: apiKey }, body });
    await delay(1000);
    const startedMs = performance.now();
    const answers = await askScreen(origin, token, firstScreen());
    times.push(performance.now() - startedMs);
    ages.push(Date.now() - Math.min(...answers.map(({ asOf }) => Date.parse(asOf))));
  }
  const [usual, most] = [median(ages) / 1000, Math.max(...ages) / 1000];
  return (
    `with records coming in: screen ${showTimes(times)}; ` +
    `"as of" ${usual.toFixed(1)} s ago, at most ${most.toFixed(1)} s`
  );
}
