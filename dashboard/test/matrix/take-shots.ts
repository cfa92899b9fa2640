import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { findFaults, loadAxe } from '../find-faults.ts';
import { startStandIn } from '../stand-in/start-stand-in.ts';
import { findMisfits } from './find-misfits.ts';
import {
  type Hand,
  type MatrixLanguage,
  type MatrixOverlay,
  type MatrixScreen,
  type MatrixShot,
  type MatrixState,
  type MatrixTheme,
  screens,
  themes,
} from './matrix-state.ts';

type Options = {
  page: Page;
  language: MatrixLanguage;
  say: (english: string) => string;
  /** The built application. */
  app: string;
  /** Where the pictures go. */
  folder: string;
  /** The kinds of elements that axe has seen, by screen and theme. */
  seen: Map<string, Set<string>>;
};

export type Taken = { shots: MatrixShot[]; faults: string[] };

/** The widths at which axe examines a page. */
const axeWidths: readonly number[] = [1280, 360];

/** The number of pixels around an overlay that are pictured with it. */
const around = 60;

/** Takes pictures of a state and everything that follows from it, and looks for problems in each. */
export async function takeShots(state: MatrixState, options: Options): Promise<Taken> {
  const { page, language, say, app, folder, seen } = options;
  const standIn = await startStandIn(app, state.data());
  const taken: Taken = { shots: [], faults: [] };
  const onError = (error: Error) => taken.faults.push(`${state.name} (${language}): ${error.message}`);
  page.on('pageerror', onError);
  const devTools = await page.context().newCDPSession(page);
  const hand: Hand = {
    page,
    data: standIn.data,
    say,
    async press(english) {
      const text = new RegExp(`^\\s*${RegExp.escape(say(english))}\\s*$`);
      await page.locator('button:visible, a:visible').filter({ hasText: text }).first().click();
    },
  };

  async function shoot(name: string, screen: MatrixScreen, part: string | undefined): Promise<void> {
    const where = `${name} (${screen.width}, ${language})`;
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme });
      const clip = await layOut(screen, part);
      if (theme === 'light') taken.faults.push(...(await findMisfits(page)).map((one) => `${where}: ${one}`));
      if (language === 'en' && axeWidths.includes(screen.width)) await runAxe(where, screen, theme);
      const file = `${slug(name)}.${screen.width}.${theme}.${language}.jpg`;
      const { data } = await devTools.send('Page.captureScreenshot', {
        format: 'jpeg',
        quality: 88,
        clip: { ...clip, scale: 1 },
      });
      await writeFile(join(folder, file), Buffer.from(data, 'base64'));
      const { width, height } = clip;
      taken.shots.push({ state: name, file, screen, theme, language, width, height });
    }
  }

  async function runAxe(where: string, screen: MatrixScreen, theme: MatrixTheme): Promise<void> {
    const look = `${screen.width} ${theme}`;
    if (!seen.has(look)) seen.set(look, new Set());
    const within = (await page.locator('dialog[open]').count()) > 0 ? 'dialog[open]' : 'html';
    const found = await findFaults(page, { within, seen: seen.get(look), isStatic: state.isStatic });
    taken.faults.push(...found.map((one) => `${where}, ${theme}: axe: ${one}`));
  }

  /**
   * The screen is as high as the page, because a picture larger than the screen is taken without touch
   * emulation.
   */
  async function layOut(screen: MatrixScreen, part: string | undefined) {
    await setScreen(devTools, screen);
    await settle(page, state.isUnfinished ?? false);
    if (part === 'overlay') return await cropTo(screen);
    if (part === 'screen') return await onScreen({ x: 0, y: 0, width: screen.width, height: screen.height });
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await setScreen(devTools, { ...screen, height: Math.max(height, screen.height) });
    await settle(page, state.isUnfinished ?? false);
    const grown = await page.evaluate(() => document.documentElement.scrollHeight);
    if (grown > height) await setScreen(devTools, { ...screen, height: grown });
    const box = await page
      .locator(part ?? '#app, main')
      .first()
      .boundingBox();
    const whole = { x: 0, y: 0, width: screen.width, height: box === null ? grown : box.y + box.height };
    return part === undefined ? whole : (box ?? whole);
  }

  /** Pictures are cut out of the page, wherever it is scrolled to. */
  async function onScreen(clip: { x: number; y: number; width: number; height: number }) {
    const scrolled = await page.evaluate(() => scrollY);
    return { ...clip, y: clip.y + scrolled };
  }

  /** The overlay and some of its surroundings. */
  async function cropTo({ width, height }: MatrixScreen) {
    const box = await page.locator('dialog[open], .menu, .toast, .chart-tip').last().boundingBox();
    if (box === null || width < 500) return await onScreen({ x: 0, y: 0, width, height });
    const x = Math.max(0, box.x - around);
    const y = Math.max(0, box.y - around);
    const right = Math.min(width, box.x + box.width + around);
    const bottom = Math.min(height, box.y + box.height + around);
    return await onScreen({ x, y, width: right - x, height: bottom - y });
  }

  const shootAll = async (name: string, part: string | undefined) => {
    for (const screen of screens) await shoot(name, screen, part);
  };

  async function shootOver({ name, open, close, part = 'overlay' }: MatrixOverlay, screen: MatrixScreen) {
    try {
      await open(hand);
      await shoot(name, screen, part);
      if (close !== undefined) return await close(hand);
      await page.keyboard.press('Escape');
      await page.waitForSelector('dialog, [role=menu]', { state: 'detached' });
    } catch (error) {
      taken.faults.push(`${name} (${screen.width}, ${language}): ${(error as Error).message}`);
      await page.reload();
      await loadAxe(devTools);
      await state.act?.(hand);
    }
  }

  try {
    await setScreen(devTools, screens[0]);
    await page.emulateMedia({ colorScheme: 'light' });
    await state.prepare?.(page);
    await page.goto(standIn.origin + state.path);
    await page.waitForSelector('h1, h2');
    await page.evaluate(() => document.fonts.ready);
    await loadAxe(devTools);
    await state.act?.(hand);
    await shootAll(state.name, state.part);
    for (const screen of state.overlays === undefined ? [] : screens) {
      await setScreen(devTools, screen);
      for (const overlay of state.overlays ?? []) await shootOver(overlay, screen);
    }
    await setScreen(devTools, screens[0]);
    for (const { name, act, part, leave } of state.next ?? []) {
      await act(hand);
      await shootAll(name, part);
      await setScreen(devTools, screens[0]);
      await leave?.(hand);
    }
  } catch (error) {
    taken.faults.push(`${state.name} (${language}): ${(error as Error).message}`);
  } finally {
    page.off('pageerror', onError);
    await devTools.detach();
    // What the page asked for last may still be on its way.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.goto('about:blank');
    await standIn.close();
  }
  return taken;
}

async function setScreen(devTools: CDPSession, { width, height }: { width: number; height: number }) {
  const isPhone = width < 500;
  await devTools.send('Emulation.setDeviceMetricsOverride', {
    width,
    height,
    deviceScaleFactor: 1,
    mobile: isPhone,
  });
  await devTools.send('Emulation.setTouchEmulationEnabled', { enabled: isPhone, maxTouchPoints: 1 });
}

/** Waits until the layout has adapted to the screen, and what it asked for has loaded. */
async function settle(page: Page, isUnfinished: boolean): Promise<void> {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  if (isUnfinished) return;
  // Some of it loads when somebody gets near it.
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll('.skeleton, [aria-busy=true]')].every((element) => {
        const { top, bottom, width } = element.getBoundingClientRect();
        return width === 0 || top >= innerHeight || bottom <= 0;
      }),
    undefined,
    { timeout: 20_000 },
  );
}

const slug = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '');
