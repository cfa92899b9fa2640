import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isLongForm } from '../../../server/test/support/long-form.ts';
import { fullData, type StandInData } from '../stand-in/stand-in-data.ts';
import type { Open } from './create-opener.ts';

function inGerman(data: StandInData): StandInData {
  data.session!.user.language = 'de';
  return data;
}

/** What fits on a narrow screen. */
export function testOnAPhone(open: Open): void {
  test('on a phone, tables and menus show that there is more, and all of it can be reached', async (t) => {
    const { page } = await open(t, '/websites/1', undefined, (page) =>
      page.setViewportSize({ width: 360, height: 740 }),
    );
    await page.locator('.bar-row').first().waitFor();
    const pages = page.locator('.panel').filter({ has: page.getByRole('heading', { name: 'Pages' }) });
    const scroller = page.locator('dialog .details-scroll');

    if (isLongForm)
      await t.test('a menu near the bottom opens upward', async () => {
        await page.evaluate(() => scrollTo(0, 0));
        await page.click('.chart-legend-second');
        const box = await page.locator('.menu').boundingBox();
        assert.ok(box!.y + box!.height <= 740, `the menu ends at ${box!.y + box!.height}`);
        await page.keyboard.press('Escape');
      });
    await t.test('long paths that differ at the end look different', async () => {
      await pages.locator('.panel-more').click();
      const name = scroller.locator('tbody th button').filter({ hasText: 'learned-on-the-way' });
      const { width, scrollWidth } = await name.evaluate((element) => ({
        width: element.clientWidth,
        scrollWidth: element.scrollWidth,
      }));
      assert.ok(scrollWidth <= width, 'the end is not cut');
      assert.equal(await name.locator('wbr').count(), 2, 'it can continue on the next line after /blog/');
      assert.match((await name.textContent())!, /^\/blog\/how-we-cut.*….*on-the-way$/);
    });
    await t.test('a table fades at its edge until its last column is reached', async () => {
      assert.equal(await scroller.getAttribute('data-more'), '');
      await scroller.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
      await page.locator('dialog .details-scroll:not([data-more])').waitFor();
    });
    await t.test('a search keeps the height of the table', async () => {
      const height = async () => (await page.locator('dialog').boundingBox())!.height;
      const before = await height();
      await page.locator('dialog [type=search]').fill('pricing');
      await page.locator('dialog tbody tr:only-child').waitFor();
      assert.equal(await height(), before);
    });
    await t.test('a table of few rows takes only the room it needs', async () => {
      await page.click('.details-close button');
      await page.locator('dialog').waitFor({ state: 'detached' });
      const devices = page.locator('.panel').filter({ has: page.getByRole('heading', { name: 'Devices' }) });
      await devices.locator('.panel-more').click();
      await scroller.locator('tbody tr').first().waitFor();
      const { height } = (await page.locator('dialog').boundingBox())!;
      assert.ok(height < 600, `the dialog is ${height} pixels high`);
    });
  });

  test('on a very narrow phone, nothing leaves its frame, in German too', async (t) => {
    const { page } = await open(t, '/websites/1', inGerman(fullData('admin')), (page) =>
      page.setViewportSize({ width: 320, height: 740 }),
    );
    await page.locator('.stat-change > [data-tone]').first().waitFor();

    if (isLongForm)
      await t.test('labels and values stay within their cards', async () => {
        const wide = await page.locator(':is(.stat-label, .stat-value)').evaluateAll((all) =>
          all
            .filter((element) => getComputedStyle(element).textOverflow !== 'ellipsis')
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
            .map(({ textContent }) => textContent),
        );
        assert.deepEqual(wide, []);
        const label = page.locator('.stat-label').filter({ hasText: 'teils doppelt' });
        assert.equal(await label.evaluate((element) => getComputedStyle(element).overflow), 'hidden');
      });
    await t.test('the whole name of the period is visible', async () => {
      const label = page.locator('.range .cut');
      assert.equal(await label.textContent(), 'Letzte 30 Tage');
      assert.equal(await label.evaluate((element) => element.scrollWidth - element.clientWidth), 0);
    });
    await t.test('the settings are in the menu of websites', async () => {
      assert.equal(await page.locator('.header > a[href$="/settings"]').isVisible(), false);
      await page.click('.site-button');
      await page.getByRole('menuitem', { name: 'Einstellungen' }).waitFor();
      await page.keyboard.press('Escape');
    });
    await t.test('on a wider phone, the button for the settings is as wide as it is high', async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      const gear = (await page.locator('.header > a[href$="/settings"]').boundingBox())!;
      assert.deepEqual([gear.width, gear.height], [36, 36]);
    });
    await t.test('a button cuts nothing off the top of its letters', async () => {
      const name = page.locator('.site-button > .cut');
      const { height, size } = await name.evaluate((element) => ({
        height: element.clientHeight,
        size: Number.parseFloat(getComputedStyle(element).fontSize),
      }));
      assert.ok(height >= size * 1.3, `${height} pixels for letters of ${size}`);
    });
  });
}
