import { setTimeout as delay } from 'node:timers/promises';
import { askScreen } from './ask-screen.ts';
import { firstScreen } from './first-screen.ts';
import type { Asking } from './make-websites.ts';
import { plainBodies } from './plain-bodies.ts';
import { median, quantile, timeWork } from './time-work.ts';

const heavyQuestion = {
  period: '60d',
  dimensions: ['page', 'city', 'browserVersion'],
  filters: [{ dimension: 'page', contains: 'o' }],
};

/** Measures tracking and another website's screen while heavy questions run without a pause. */
export async function measureHeavy(origin: string, main: Asking, neighbor: Asking): Promise<string> {
  const [body] = plainBodies();
  const track = async () => {
    const times: number[] = [];
    for (let sent = 0; sent < 1000; sent += 1) {
      times.push(
        await timeWork(async () => {
          const response = await fetch(`${origin}${body!.path}`, {
            method: 'POST',
            headers: { Authorization: neighbor.apiKey },
            body: body!.body,
          });
          await response.text();
        }),
      );
      await delay(5);
    }
    return quantile(times, 0.99);
  };
  const screens = async () => {
    const times: number[] = [];
    for (let asked = 0; asked < 9; asked += 1)
      times.push(await timeWork(() => askScreen(origin, neighbor.token, firstScreen())));
    return median(times);
  };
  await screens();
  const idle = { trackP99: await track(), screen: await screens() };
  let isRunning = true;
  const heavy = Promise.all(
    [0, 1].map(async () => {
      while (isRunning) {
        // The engine ends a question that takes too long: 422, but still heavy.
        await askScreen(origin, main.token, [heavyQuestion], [200, 422]);
      }
    }),
  );
  await delay(500);
  const busy = { trackP99: await track(), screen: await screens() };
  isRunning = false;
  await heavy;
  const slower = (measured: 'trackP99' | 'screen') => (busy[measured] / idle[measured]).toFixed(1);
  return (
    `while heavy questions run: tracking p99 ${busy.trackP99.toFixed(1)} ms, ` +
    `idle ${idle.trackP99.toFixed(1)} ms (${slower('trackP99')} times); ` +
    `another website's screen ${busy.screen.toFixed(0)} ms, ` +
    `idle ${idle.screen.toFixed(0)} ms (${slower('screen')} times)`
  );
}
