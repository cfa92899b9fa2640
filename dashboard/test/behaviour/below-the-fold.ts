import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { fullData, type StandInData } from '../stand-in/stand-in-data.ts';
import type { Open } from './create-opener.ts';

/** Opens the analytics of a website on a screen that ends above the bots. */
async function openLow(
  open: Open,
  t: TestContext,
  data: StandInData,
  prepare?: (page: Page) => Promise<unknown>,
): Promise<Page> {
  const { page } = await open(t, '/websites/1', data, prepare);
  await page.locator('.panel', { hasText: 'Pages' }).locator('.bar-row').first().waitFor();
  return page;
}

/** Disables everything that would be asked for after a while. */
const waitForever = (page: Page) =>
  page.addInitScript(() => {
    const { setTimeout } = window;
    const later = (run: () => void, ms?: number) =>
      ms !== undefined && ms > 2_000 ? 0 : setTimeout(run, ms);
    window.setTimeout = later as typeof setTimeout;
  });

const panel = (page: Page, title: string) =>
  page.locator('.panel').filter({ has: page.getByRole('heading', { name: title, exact: true }) });

/** The panels that are not on the screen at first. */
export function testBelowTheFold(open: Open): void {
  test('panels far below load a while after the first numbers, without scrolling', async (t) => {
    const page = await openLow(open, t, fullData('admin'));
    await panel(page, 'Bots').locator('.bar-row').first().waitFor({ state: 'attached' });
    await panel(page, 'Retention').locator('.retention').waitFor({ state: 'attached' });
    assert.equal(await page.evaluate(() => scrollY), 0);
  });

  test('a printed page has no empty panels and no buttons, and printing loads everything', async (t) => {
    const page = await openLow(open, t, { ...fullData('admin'), funnels: new Map() }, waitForever);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await panel(page, 'Sources').isVisible(), true);
    assert.equal(await panel(page, 'Retention').isVisible(), false, 'its numbers are not there yet');
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await panel(page, 'Retention').locator('.retention').waitFor();
    assert.equal(await panel(page, 'Funnels').isVisible(), false, 'there is no funnel');
    assert.equal(await page.locator('.button:visible').count(), 0);
  });

  test('a printed page names all filters and numbers, on white', async (t) => {
    const { page } = await open(t, '/websites/1?f=country:is:DE&f=browser:is:Chrome', undefined, (page) =>
      // As wide as a page of A4 without its margins.
      page.setViewportSize({ width: 703, height: 900 }),
    );
    await page.locator('.stat-change > [data-tone]').first().waitFor();
    await page.emulateMedia({ media: 'print' });
    const wide = await page
      .locator('.stat-label')
      .evaluateAll((all) =>
        all
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ textContent }) => textContent),
      );
    assert.deepEqual(wide, []);
    const dots = await page
      .locator('.chip')
      .evaluateAll((all) => all.map((chip) => getComputedStyle(chip, '::after').content));
    assert.deepEqual(dots, ['" · "', 'none']);
    assert.equal((await page.locator('.chip').first().boundingBox())!.x, 0);
    const grounds = await page
      .locator('.analytics-about, .filter-bar')
      .evaluateAll((all) => all.map((element) => getComputedStyle(element).backgroundColor));
    assert.deepEqual(grounds, ['rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0)']);
  });
}
