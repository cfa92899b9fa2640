import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type BuiltApp, buildApp } from './build-app.ts';
import { keepWindow } from './keep-window.ts';
import { openChromium } from './open-chromium.ts';
import type { PageState } from './page-state.ts';
import { pageStates } from './page-states.ts';
import { startStandIn } from './stand-in/start-stand-in.ts';

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

export type Look = {
  name: string;
  /** Of axe; all unless given. */
  rules?: string[];
  /** Names of states; all unless given. */
  states?: ReadonlySet<string>;
} & BrowserContextOptions &
  Required<Pick<BrowserContextOptions, 'colorScheme'>>;

/** Opens every page in Chromium and looks for what is wrong with it. */
export function examinePages(look: Look): void {
  let app: BuiltApp;
  let browser: Browser;
  const window = keepWindow(() => openWindow(browser, look));
  before(async () => {
    app = await buildApp();
    browser = await openChromium();
  });
  after(async () => {
    await browser.close();
    await app.remove();
  });
  for (const state of pageStates.filter(({ name }) => look.states?.has(name) ?? true)) {
    const where = `${state.name} (${look.name})`;
    test(`${where}: nothing for axe, no error, no sideways scroll, nothing moves`, async () => {
      const page = await window.take();
      await examine(page, app.folder, state, look.rules);
      await window.giveBack(page);
    });
  }
}

async function openWindow(browser: Browser, look: Look): Promise<Page> {
  const { name: _, states: __, rules: ___, ...options } = look;
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce', locale: 'en-GB' });
  return await context.newPage();
}

/** What lies over a page. */
const over = 'dialog, [role=menu]';

async function examine(
  page: Page,
  folder: string,
  state: PageState,
  rules: string[] | undefined,
): Promise<void> {
  const standIn = await startStandIn(folder, state.data());
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !(isRefusal && state.hasRefusals)) errors.push(message.text());
  });
  try {
    await state.prepare?.(page);
    await page.goto(standIn.origin + state.path);
    await page.waitForSelector('h1');
    await page.evaluate(() => document.fonts.ready);
    const shift = await layoutShift(page);
    await state.act?.(page, standIn.data);

    await page.evaluate(axe);
    assert.deepEqual(await findFaults(page, { rules }), []);
    assert.ok(shift < 0.05, `expected no shift of the layout, got ${shift}`);
    await assertFits(page, state.name);
    for (const { name, open } of state.overlays ?? []) {
      await open(page);
      await page.waitForSelector(over);
      const faults = await findFaults(page, { rules, within: over });
      assert.deepEqual({ name, faults }, { name, faults: [] });
      await assertFits(page, name);
      await page.keyboard.press('Escape');
      await page.waitForSelector(over, { state: 'detached' });
    }
    assert.deepEqual(errors, []);
  } finally {
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

type Examined = { rules: string[] | undefined; within?: string };

async function findFaults(page: Page, { rules, within = 'html' }: Examined): Promise<string[]> {
  const violations = await page.evaluate(
    ([only, root]) => {
      const { axe } = globalThis as unknown as {
        axe: { run(root: string, options: object): Promise<AxeResults> };
      };
      // What passes is not looked up and sent here: nobody reads it.
      const options = { resultTypes: ['violations'], ...(only !== undefined && { runOnly: only }) };
      return axe.run(root, options).then((results) => results.violations);
    },
    [rules, within] as const,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}

/** How much moved after it was first seen, by the measure of browsers. */
async function layoutShift(page: Page): Promise<number> {
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
