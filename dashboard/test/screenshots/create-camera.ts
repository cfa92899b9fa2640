import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { owner } from './prepare-server.ts';
import { type Look, looks, type Shot } from './shots-of.ts';

const screens = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 780 } };
/** A4 at 96 dots per inch, and its margin. */
const paper = { width: 794, height: 1123 };
const paperMargin = '12mm';

export type Camera = { shoot(shot: Shot): Promise<void> };

/** Signs in once, and takes pictures as the owner or without a session. */
export async function createCamera(options: {
  browser: Browser;
  origin: string;
  folder: string;
}): Promise<Camera> {
  const { browser, origin, folder } = options;
  const storageState = await signIn(browser, origin);

  async function take(shot: Shot, look: Look): Promise<void> {
    const [screen, colorScheme] = look.split('-') as ['desktop' | 'phone', 'light' | 'dark'];
    const context = await browser.newContext({
      viewport: screens[screen],
      colorScheme,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      deviceScaleFactor: shot.isFine ? 2 : 1,
      ...(screen === 'phone' && { hasTouch: true, isMobile: true }),
      ...(!shot.isSignedOut && { storageState }),
    });
    const page = await context.newPage();
    await page.goto(origin + shot.path);
    await page.waitForSelector('h1', { state: 'attached' });
    await settle(page);
    if (shot.isPrint) await layOnPaper(page);
    const { width, height } = shot.isPrint ? paper : screens[screen];
    // A full-page picture would be taken without touch emulation, so the screen is made as high as the page
    // instead.
    const shownHeight = shot.height === 'screen' ? height : (shot.height ?? (await heightOf(page)));
    await page.setViewportSize({ width, height: shownHeight });
    await shot.act?.(page);
    await page.screenshot({
      path: join(folder, `${shot.name}-${shot.isPrint ? 'a4' : look}.png`),
      animations: 'disabled',
    });
    await context.close();
  }

  return {
    async shoot(shot) {
      for (const look of shot.looks ?? looks) await take(shot, look);
    },
  };
}

const heightOf = (page: Page) => page.evaluate(() => document.documentElement.scrollHeight);

async function signIn(
  browser: Browser,
  origin: string,
): Promise<BrowserContextOptions['storageState'] & object> {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${origin}/sign-in`);
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password', { exact: true }).fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/websites');
  const state = await context.storageState();
  await context.close();
  return state;
}

/** Waits until everything has loaded, including what loads when somebody scrolls to it. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  // Recent requests and the like take no space before they have loaded.
  await page.waitForTimeout(600);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await page.waitForFunction(() => document.querySelector('.skeleton, [aria-busy=true]') === null);
  await page.evaluate(() => scrollTo(0, 0));
}

/** A picture has no pages, so the margin is added by hand. */
async function layOnPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print', colorScheme: 'light' });
  await page.setViewportSize(paper);
  await page.evaluate((margin) => {
    document.body.style.padding = margin;
  }, paperMargin);
  await page.waitForTimeout(300);
}
