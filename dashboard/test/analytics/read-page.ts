import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { inOrder, type Row } from './count-people.ts';

/** Finds what people see and press by the names that they see. */
export const button = (within: Page | Locator, name: string | RegExp): Locator =>
  within.getByRole('button', { name, exact: true });
export const panel = (page: Page, title: string): Locator =>
  page.getByRole('region', { name: title, exact: true });
export const dialog = (page: Page): Locator => page.getByRole('dialog');
export const field = (page: Page, label: string): Locator => dialog(page).getByLabel(label, { exact: true });
export const tab = (within: Locator, name: string): Locator => within.getByRole('tab', { name, exact: true });
export const menuItem = (page: Page, name: string): Locator =>
  page.getByRole('menuitemradio', { name, exact: true });
export const period = (page: Page): Locator => page.locator('.range [aria-haspopup=menu]');
export const card = (page: Page, label: string): Locator =>
  page.locator(`.stat:has(.stat-label:text-matches("^${label}( ·|$)"))`);
export const search = (page: Page): string => decodeURIComponent(new URL(page.url()).search);

export const chips = (page: Page): Promise<string[]> => page.locator('.chip-text').allTextContents();
export const value = (page: Page, label: string): Promise<string | null> =>
  card(page, label).locator('.stat-value').textContent();

/**
 * Shows another view in an open page, as Back does. The page is not loaded again, and doesn't repeat
 * questions that were answered before.
 */
export async function turnTo(page: Page, address: string): Promise<void> {
  await page.evaluate((to) => {
    history.pushState(null, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, address);
}

/** The rows of a list, highest first. */
export async function rows(within: Locator): Promise<Row[]> {
  const found = await within
    .locator('.bar-row')
    .evaluateAll((all) =>
      all.map((row) => ['.bar-label', '.bar-value'].map((part) => row.querySelector(part)!.textContent)),
    );
  return inOrder(found as Row[]);
}

const patienceMs = 300_000;

/**
 * Waits until the page shows the expected value, and reports what it shows if it never does. The longer it
 * takes, the less often it looks, because each look takes time from the page, the browser and the test.
 */
export async function shows<Shown>(
  read: () => Promise<Shown>,
  expected: Shown,
  about = 'what is shown',
): Promise<void> {
  const startMs = performance.now();
  for (;;) {
    const shown = await read();
    if (isDeepStrictEqual(shown, expected)) return;
    const waitedMs = performance.now() - startMs;
    if (waitedMs > patienceMs) assert.deepEqual(shown, expected, about);
    await delay(Math.min(Math.max(100, waitedMs / 5), 250));
  }
}

export const row = (within: Locator, label: string): Locator =>
  within.locator('.bar-row', { has: within.page().locator(`.bar-label:text-is(${JSON.stringify(label)})`) });
