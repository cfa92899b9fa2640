import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { isLongForm } from '../../server/test/support/long-form.ts';
import { findFaults, loadAxe } from './find-faults.ts';
import { keepWindow } from './keep-window.ts';
import { type Look, showLook } from './look.ts';
import type { PageState } from './page-state.ts';
import { pageStates } from './page-states.ts';
import type { Prepared } from './prepare-stand-in.ts';
import { startStandIn } from './stand-in/start-stand-in.ts';

type Options = {
  looks: readonly Look[];
  /** The look in which a state is loaded, where one load is used for all looks. */
  firstLook: (state: PageState) => Look;
};

/**
 * Opens every page in Chromium, and looks for problems. In the long form, it is loaded for each look, and axe
 * examines every element. Otherwise one load is switched to all looks, and axe examines one of several
 * similar elements.
 */
export function examinePages({ app, browser }: Prepared, { looks, firstLook }: Options): void {
  const windows = keepWindow(() => openWindow(browser()));
  const seen = new Map(looks.map((look) => [look, isLongForm ? undefined : new Set<string>()]));
  for (const state of pageStates.filter(({ isLong = false }) => isLongForm || !isLong)) {
    const first = firstLook(state);
    const sorted = [first, ...looks.filter((look) => look !== first)];
    for (const shown of isLongForm ? looks.map((look) => [look]) : [sorted]) {
      const names = [state, ...(state.next ?? [])]
        .map(({ name }) => name)
        .filter((name) => shown.some((look) => isWanted(look, name)));
      if (names.length === 0) continue;
      const used = shown.filter((look) => names.some((name) => isWanted(look, name)));
      const where = `${names.join('; ')} (${used.map((look) => look.name).join(', ')})`;
      test(`${where}: nothing for axe, no error, no sideways scroll, no layout shift`, async () => {
        const page = await windows.take();
        await examine(page, app().folder, state, { looks: used, seen });
        await windows.giveBack(page);
      });
    }
  }
}

/** The size of the window depends on its look. */
async function openWindow(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: null, reducedMotion: 'reduce', locale: 'en-GB' });
  context.setDefaultTimeout(300_000);
  return await context.newPage();
}

const isWanted = ({ states }: Look, name: string) => states?.has(name) ?? true;

const overlaysOf = ({ overlays = [] }: PageState) =>
  overlays.filter(({ isLong = false }) => isLongForm || !isLong);

/** What lies over a page. */
const over = 'dialog, [role=menu]';

type Examined = { looks: readonly Look[]; seen: ReadonlyMap<Look, Set<string> | undefined> };

async function examine(page: Page, folder: string, state: PageState, { looks, seen }: Examined) {
  const standIn = await startStandIn(folder, state.data());
  let { hasRefusals = false } = state;
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !(isRefusal && hasRefusals)) errors.push(message.text());
  });
  const devTools = await page.context().newCDPSession(page);
  let shown = looks[0]!;
  await showLook(page, devTools, shown);
  /** Starts with the current look, so that a page is switched as rarely as possible. */
  const wantedLooks = (name: string) =>
    [shown, ...looks.filter((look) => look !== shown)].filter((look) => isWanted(look, name));
  const turnTo = async (look: Look) => {
    if (look !== shown) await showLook(page, devTools, look);
    shown = look;
  };
  const examineShown = async (name: string, within?: string) => {
    const { rules } = shown;
    const { isStatic } = state;
    const faults = await findFaults(page, { rules, within, seen: seen.get(shown), isStatic });
    const where = `${name} (${shown.name})`;
    assert.deepEqual({ where, faults }, { where, faults: [] });
    await assertFits(page, where);
  };
  const lookAt = async (name: string) => {
    for (const look of wantedLooks(name)) {
      await turnTo(look);
      await examineShown(name);
    }
  };
  try {
    await state.prepare?.(page);
    await page.goto(standIn.origin + state.path);
    await page.waitForSelector('h1');
    await page.evaluate(() => document.fonts.ready);
    const shift = await layoutShift(page);
    assert.ok(shift < 0.05, `expected no shift of the layout, got ${shift}`);
    await state.act?.(page, standIn.data);

    await loadAxe(devTools);
    await lookAt(state.name);
    // All of them in one look first: reopening one takes less time than switching the page behind it.
    for (const look of wantedLooks(state.name)) {
      // The look with all of axe's rules is enough for common parts.
      const isSecond = look.rules !== undefined && looks.length > 1;
      const overlays = overlaysOf(state).filter(
        ({ isOfCommonParts = false }) => !(isOfCommonParts && isSecond),
      );
      // Switching a page takes as long as examining it.
      if (overlays.length === 0) continue;
      await turnTo(look);
      for (const { name, open } of overlays) {
        await open(page);
        await page.waitForSelector(over);
        await examineShown(name, over);
        await page.keyboard.press('Escape');
        await page.waitForSelector(over, { state: 'detached' });
      }
    }
    assert.deepEqual(errors, []);
    for (const next of state.next ?? []) {
      const [look] = wantedLooks(next.name);
      if (look === undefined) continue;
      hasRefusals ||= next.hasRefusals ?? false;
      await turnTo(look);
      await next.act(page, standIn.data);
      await lookAt(next.name);
      assert.deepEqual({ name: next.name, errors }, { name: next.name, errors: [] });
      await next.leave?.(page);
    }
  } finally {
    await devTools.detach();
    await standIn.close();
  }
}

async function assertFits(page: Page, where: string): Promise<void> {
  const { scrollWidth, clientWidth } = await page.evaluate(() => ({
    scrollWidth: document.documentElement.scrollWidth,
    clientWidth: document.documentElement.clientWidth,
  }));
  assert.ok(
    scrollWidth <= clientWidth,
    `${where}: expected ${clientWidth} pixels or less, got ${scrollWidth}`,
  );
}

/** How much moved after it was first visible, as browsers measure it. */
export async function layoutShift(page: Page): Promise<number> {
  return await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 200);
      }),
  );
}
