import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { keepWindow } from '../keep-window.ts';
import type { Prepared } from '../prepare-stand-in.ts';
import { fullData, type StandInData } from '../stand-in/stand-in-data.ts';
import { startStandIn } from '../stand-in/start-stand-in.ts';

/** Opens a page for one test, with its own server. */
export type Open = (
  t: TestContext,
  path: string,
  data?: StandInData,
  /** Prepares the window, which other tests then don't use. */
  prepare?: (page: Page) => Promise<unknown>,
) => Promise<{ page: Page; data: StandInData }>;

export function createOpener({ app, browser }: Prepared): Open {
  const openWindow = async () => {
    const context = await browser().newContext({
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
    });
    const page = await context.newPage();
    page.setDefaultTimeout(300_000);
    return page;
  };
  const windows = keepWindow(openWindow);
  return async (t, path, data = fullData('admin'), prepare) => {
    const standIn = await startStandIn(app().folder, data);
    const page = prepare === undefined ? await windows.take() : await openWindow();
    t.after(async () => {
      if (prepare === undefined && t.passed) await windows.giveBack(page);
      else await page.context().close();
      await standIn.close();
    });
    await prepare?.(page);
    await page.goto(standIn.origin + path);
    await page.waitForSelector('h1');
    return { page, data };
  };
}
