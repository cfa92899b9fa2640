import type { Page } from 'playwright-core';

/**
 * The same windows for many tests, because a new one has all script to compile again. They share nothing else
 * as long as each has a server, and so an origin with a storage, of its own.
 */
export type KeptWindow = {
  take(): Promise<Page>;
  /** After a test that passed. A window that is not given back is not used again. */
  giveBack(page: Page): Promise<void>;
};

export function keepWindow(open: () => Promise<Page>): KeptWindow {
  const kept: Page[] = [];
  return {
    async take() {
      return kept.pop() ?? (await open());
    },
    async giveBack(page) {
      // What a test has done to the window itself, and not only to the page in it.
      page.removeAllListeners('pageerror');
      page.removeAllListeners('console');
      await page.unrouteAll();
      await page.context().clearCookies();
      await page.mouse.move(0, 0);
      await page.goto('about:blank');
      kept.push(page);
    },
  };
}
