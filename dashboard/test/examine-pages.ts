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
  /** The look in which a state is examined in the short form, with all of axe's rules. */
  onlyLook: (state: PageState) => Look;
};

/**
 * Opens every page in Chromium, and looks for problems. In the long form, it is loaded in each look, and axe
 * examines every element. Otherwise the looks take turns, and axe examines one of several similar elements.
 */
export function examinePages({ app, browser }: Prepared, { looks, onlyLook }: Options): void {
  const windows = keepWindow(() => openWindow(browser()));
  const seen = new Map(looks.map(({ name }) => [name, isLongForm ? undefined : new Set<string>()]));
  for (const state of pageStates.filter(({ isLong = false }) => isLongForm || !isLong)) {
    for (const look of isLongForm ? looks : [asOnly(onlyLook(state))]) {
      const names = [state, ...(state.next ?? [])]
        .map(({ name }) => name)
        .filter((name) => isWanted(look, name));
      if (names.length === 0) continue;
      const where = `${names.join('; ')} (${look.name})`;
      test(`${where}: nothing for axe, no error, no sideways scroll, no layout shift`, async () => {
        const page = await windows.take();
        await examine(page, app().folder, state, { look, seen: seen.get(look.name) });
        await windows.giveBack(page);
      });
    }
  }
}

/** No other look examines what this one would leave to it. */
function asOnly({ rules: _rules, states: _states, ...look }: Look): Look {
  return look;
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

type Examined = { look: Look; seen: Set<string> | undefined };

async function examine(page: Page, folder: string, state: PageState, { look, seen }: Examined) {
  const standIn = await startStandIn(folder, state.data());
  let { hasRefusals = false } = state;
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !(isRefusal && hasRefusals)) errors.push(message.text());
  });
  const devTools = await page.context().newCDPSession(page);
  await showLook(page, devTools, look);
  const lookAt = async (name: string, within?: string) => {
    const { rules } = look;
    const { isStatic } = state;
    const faults = await findFaults(page, { rules, within, seen, isStatic });
    assert.deepEqual({ name, faults }, { name, faults: [] });
    await assertFits(page, name);
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
    if (isWanted(look, state.name)) {
      await lookAt(state.name);
      for (const { name, open } of overlaysOf(state)) {
        await open(page);
        await page.waitForSelector(over);
        await lookAt(name, over);
        await page.keyboard.press('Escape');
        await page.waitForSelector(over, { state: 'detached' });
      }
    }
    assert.deepEqual(errors, []);
    for (const next of state.next ?? []) {
      if (!isWanted(look, next.name)) continue;
      hasRefusals ||= next.hasRefusals ?? false;
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

async function assertFits(page: Page, name: string): Promise<void> {
  const { scrollWidth, clientWidth } = await page.evaluate(() => ({
    scrollWidth: document.documentElement.scrollWidth,
    clientWidth: document.documentElement.clientWidth,
  }));
  assert.ok(
    scrollWidth <= clientWidth,
    `${name}: expected ${clientWidth} pixels or less, got ${scrollWidth}`,
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
