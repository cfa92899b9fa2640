import { after, before, type TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type BuiltApp, buildApp } from '../build-app.ts';
import { keepWindow } from '../keep-window.ts';
import { openChromium } from '../open-chromium.ts';
import { fullData, type StandInData } from '../stand-in/stand-in-data.ts';
import { startStandIn } from '../stand-in/start-stand-in.ts';

/** Opens a page for one test, on a server of its own. */
export type Open = (
  t: TestContext,
  path: string,
  data?: StandInData,
  /** A window of its own, and what is done to it before. */
  own?: { window: BrowserContextOptions; prepare?: (page: Page) => Promise<unknown> },
) => Promise<{ page: Page; data: StandInData }>;

/** One Chromium for all tests of a file. */
export function createOpener(): Open {
  let app: BuiltApp;
  let browser: Browser;
  before(async () => {
    app = await buildApp();
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await app.remove();
  });
  const openWindow = async (options: BrowserContextOptions = {}) => {
    const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    return page;
  };
  const usual = keepWindow(openWindow);
  return async (t, path, data = fullData('admin'), own) => {
    const standIn = await startStandIn(app.folder, data);
    const page = own === undefined ? await usual.take() : await openWindow(own.window);
    t.after(async () => {
      if (own === undefined && t.passed) await usual.giveBack(page);
      else await page.context().close();
      await standIn.close();
    });
    await own?.prepare?.(page);
    await page.goto(standIn.origin + path);
    await page.waitForSelector('h1');
    return { page, data };
  };
}
