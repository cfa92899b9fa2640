import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { addDays } from '@trackside/contract/calendar/day.ts';
import type { Page } from 'playwright-core';
import { visitorsOf } from './count-people.ts';
import type { Stage } from './open-stage.ts';
import { button, chips, dialog, field, panel, period, search, shows, turnTo, value } from './read-page.ts';
import { ofToday, ofYesterday, type Person, people } from './traffic.ts';

/**
 * Without a mouse, and on a phone. In the short form, this is tested on a stand-in: by
 * `behaviour/analytics-view.ts`, and by `pages.ts` on a phone.
 */
export async function testKeyboard(t: TestContext, stage: Stage, page: Page): Promise<void> {
  const { days, shop, trackside } = stage;
  const address = `${trackside.origin()}/websites/${shop.id}`;
  const showsVisitors = (of: readonly Person[]) =>
    shows(() => value(page, 'Visitors'), String(visitorsOf(of)));

  const changeByKeys = async () => {
    await page.goto(`${address}?f=country:is:DE`);
    const germans = people.filter(({ place }) => place.code === 'DE');
    await showsVisitors(germans);
    await page.keyboard.press('x');
    await showsVisitors(people);
    assert.deepEqual(await chips(page), []);
    await page.keyboard.press('1');
    await showsVisitors(ofToday);
    await page.keyboard.press('ArrowRight');
    assert.equal(search(page), '?period=today', 'nothing comes after today');
    await page.keyboard.press('ArrowLeft');
    await showsVisitors(ofYesterday);
    await page.keyboard.press('ArrowLeft');
    await period(page)
      .filter({ hasText: String(Number(addDays(days.yesterday, -1).slice(8))) })
      .waitFor();
    assert.equal(search(page), `?period=${addDays(days.yesterday, -1)}..${addDays(days.yesterday, -1)}`);
    await page.keyboard.press('ArrowRight');
    await showsVisitors(ofYesterday);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    const keys = await dialog(page).locator('kbd').allTextContents();
    for (const key of ['/', 'X', '←', '→', '1', '9', '?']) assert.ok(keys.includes(key), key);
    await page.keyboard.press('Escape');
  };

  const fitPhone = async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    const tooWide = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await page.goto(`${address}?period=today&f=page:is:/pricing&f=country:anyOf:DE|AT|FR|US|CH|JP`);
    await page.locator('.chip').first().waitFor();
    for (const title of ['Bots', 'Funnels', 'Previous and next pages', 'Retention'])
      await panel(page, title).scrollIntoViewIfNeeded();
    await panel(page, 'Retention').getByRole('table').waitFor();
    assert.equal(await tooWide(), 0, 'the page');
    for (const name of ['Filter', 'Previous period', /^Compare/])
      assert.ok(await button(page, name).isVisible(), String(name));
    // The crumb that leads back to all pages has the same name.
    await panel(page, 'Pages').locator('.panel-more').click();
    await dialog(page).locator('tbody tr').first().waitFor();
    assert.equal(await tooWide(), 0, 'the full table');
    await page.keyboard.press('Escape');
    await turnTo(page, `${address}/live`);
    await page.locator('.live-latest li').first().waitFor();
    assert.equal(await tooWide(), 0, 'the live view');
    await page.setViewportSize({ width: 1280, height: 900 });
  };

  const addFilter = async () => {
    await turnTo(page, `${address}?period=today`);
    await showsVisitors(ofToday);
    const options = dialog(page).locator('.combobox-option');
    await page.keyboard.press('/');
    await options.first().waitFor();
    assert.ok(await field(page, 'Value').evaluate((input) => input === document.activeElement));
    await page.keyboard.type('/docs/api');
    await shows(() => options.count(), 1);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const readers = ofToday.filter(({ steps }) => steps.some((step) => step.page === '/docs/api'));
    await showsVisitors(readers);
    assert.deepEqual(await chips(page), ['Page is /docs/api']);
  };

  await t.test('adds a filter with the keyboard alone', addFilter);
  await t.test('keys change the range and the filters, and the page explains them', changeByKeys);
  await t.test('everything fits into 360 pixels', fitPhone);
}
