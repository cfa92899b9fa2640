/**
 * Takes pictures of every page, from a real server with the visitors of `trackside demo`: desktop and phone,
 * light and dark. They go to docs/screenshots. Run `npm run screenshots`, or with names, such as `npm run
 * screenshots live share`, to take only those.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startTrackside } from '../../server/test/support/start-trackside.ts';
import { openChromium } from './open-chromium.ts';
import { createCamera } from './screenshots/create-camera.ts';
import { owner, prepareServer } from './screenshots/prepare-server.ts';
import { shotsOf } from './screenshots/shots-of.ts';

const folder = fileURLToPath(new URL('../../docs/screenshots', import.meta.url));
const names = process.argv.slice(2);
const isWanted = ({ name }: { name: string }) => names.length === 0 || names.includes(name);

const cleanUps: (() => Promise<void>)[] = [];
const trackside = await startTrackside(
  { after: (cleanUp: () => Promise<void>) => cleanUps.push(cleanUp) } as never,
  { environment: { TRACKSIDE_ADMIN_EMAIL: owner.email, TRACKSIDE_ADMIN_PASSWORD: owner.password } },
);
const browser = await openChromium({ isSeen: true });
try {
  const websites = await prepareServer(trackside);
  mkdirSync(folder, { recursive: true });
  const camera = await createCamera({ browser, origin: trackside.origin(), folder });
  for (const shot of shotsOf(websites).filter(isWanted)) await camera.shoot(shot);
} finally {
  await browser.close();
  for (const cleanUp of cleanUps) await cleanUp();
}
