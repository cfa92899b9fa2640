import type { Page } from 'playwright-core';

/**
 * Reuses windows for many tests, because a new one has to compile all scripts again. They share nothing else
 * as long as each has its own server, and so its own origin and storage.
 */
export type KeptWindow = {
  take(): Promise<Page>;
  /** Called after a test that passed. A window that is not returned is not used again. */
  giveBack(page: Page): Promise<void>;
};

export function keepWindow(open: () => Promise<Page>): KeptWindow {
  const kept: Page[] = [];
  return {
    async take() {
      return kept.pop() ?? (await open());
    },
    async giveBack(page) {
      // Resets what a test has done to the window itself, not only to its page.
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
