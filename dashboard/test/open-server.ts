import type { Browser } from 'playwright-core';
import { startTracksideHere, type TracksideHere } from '../../server/test/support/start-trackside.ts';
import { openChromium } from './open-chromium.ts';

/** A real server that nobody has set up yet, and a browser. */
export type Server = { trackside: TracksideHere; browser: Browser; close: () => Promise<void> };

/** The admin who sets it up. */
export const admin = { email: 'ada@example.com', password: 'a long enough secret' };

export async function openServer(): Promise<Server> {
  const cleanUps: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  };
  try {
    const trackside = await startTracksideHere({ after: (cleanUp) => cleanUps.push(cleanUp) });
    const browser = await openChromium();
    cleanUps.push(() => browser.close());
    return { trackside, browser, close };
  } catch (error) {
    await close();
    throw error;
  }
}
