import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { isLongForm } from '../../server/test/support/long-form.ts';
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

/** Opens every page in Chromium, as each of the looks has it, and looks for what is wrong with it. */
export function examinePages(looks: readonly Look[]): void {
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
  for (const look of looks) {
    const windows = keepWindow(() => openWindow(browser, look));
    const isWanted = ({ name }: { name: string }) => look.states?.has(name) ?? true;
    for (const state of pageStates) {
      const names = [state, ...(state.next ?? [])].filter(isWanted).map(({ name }) => name);
      if (names.length === 0) continue;
      const where = `${names.join('; ')} (${look.name})`;
      test(`${where}: nothing for axe, no error, no sideways scroll, nothing moves`, async () => {
        const page = await windows.take();
        await examine(page, app.folder, state, { rules: look.rules, isWanted });
        await windows.giveBack(page);
      });
    }
  }
}

async function openWindow(browser: Browser, look: Look): Promise<Page> {
  const { name: _, states: __, rules: ___, ...options } = look;
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce', locale: 'en-GB' });
  return await context.newPage();
}

/** Elements of which there are many of the same kind: sections of the reference, and choices in a list. */
const manyAlike = 'main > section, [role=option]';

/** What lies over a page. */
const over = 'dialog, [role=menu]';

async function examine(
  page: Page,
  folder: string,
  state: PageState,
  { rules, isWanted }: { rules: string[] | undefined; isWanted: (one: { name: string }) => boolean },
): Promise<void> {
  const standIn = await startStandIn(folder, state.data());
  let { hasRefusals = false } = state;
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    const isRefusal = message.text().startsWith('Failed to load resource');
    if (message.type() === 'error' && !(isRefusal && hasRefusals)) errors.push(message.text());
  });
  const look = async (name: string, within?: string) => {
    const faults = await findFaults(page, { rules, within });
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

    await loadAxe(page);
    if (isWanted(state)) {
      await look(state.name);
      for (const { name, open } of state.overlays ?? []) {
        await open(page);
        await page.waitForSelector(over);
        await look(name, over);
        await page.keyboard.press('Escape');
        await page.waitForSelector(over, { state: 'detached' });
      }
      assert.deepEqual(errors, []);
    }
    for (const next of (state.next ?? []).filter(isWanted)) {
      hasRefusals ||= next.hasRefusals ?? false;
      await next.act(page, standIn.data);
      await look(next.name);
      assert.deepEqual({ name: next.name, errors }, { name: next.name, errors: [] });
      await next.leave?.(page);
    }
  } finally {
    await standIn.close();
  }
}

/** Not by `evaluate`, which wraps the text, so that Chromium compiles all of it again on every page. */
async function loadAxe(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Runtime.evaluate', { expression: axe });
  await devTools.detach();
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

type Examined = { rules: string[] | undefined; within?: string | undefined };

async function findFaults(page: Page, { rules, within = 'html' }: Examined): Promise<string[]> {
  if (!isLongForm) await page.evaluate(hideAlike, manyAlike);
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
  if (!isLongForm) await page.evaluate(showAlike, manyAlike);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`),
  );
}

/**
 * Hides each element in which every part has the same markup, apart from texts, as a part of an element before
 * it. Hundreds of time zones, or of sections in the reference, take axe seconds.
 */
function hideAlike(selector: string): void {
  const seen = new Set<string>();
  for (const element of document.querySelectorAll<HTMLElement>(selector)) {
    const kinds = [element, ...element.querySelectorAll('*')].map((part) => {
      const { parentElement: parent } = part;
      const attributes = part.getAttributeNames().map((name) => {
        const isMeant = name === 'class' || name === 'role' || /^aria-(?!label|describ|control)/.test(name);
        return isMeant ? `${name}=${part.getAttribute(name)}` : name;
      });
      return [parent?.tagName, parent?.className, part.tagName, ...attributes].join(' ');
    });
    if (kinds.every((kind) => seen.has(kind))) element.style.setProperty('display', 'none', 'important');
    for (const kind of kinds) seen.add(kind);
  }
}

function showAlike(selector: string): void {
  for (const element of document.querySelectorAll<HTMLElement>(selector))
    element.style.removeProperty('display');
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
