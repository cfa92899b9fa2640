import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { isLongForm } from '../../../server/test/support/long-form.ts';
import { turnTo } from '../analytics/read-page.ts';
import { layoutShift } from '../examine-pages.ts';
import type { Open } from './create-opener.ts';

const button = (page: Page | Locator, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true });
const period = (page: Page) => button(page, /^Period:/);
const field = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label, { exact: true });
const search = (page: Page) => new URL(page.url()).search;
const turnedTo = (page: Page, text: string) => period(page).filter({ hasText: text }).waitFor();

/** What the analytics page shows after filters and keys are used. */
export function testAnalyticsView(open: Open): void {
  test('filters and keys change the view, in one window', async (t) => {
    const { page } = await open(t, '/websites/1');
    await t.test(
      'pressing a row asks for the whole screen in one request and drills down, and keys lead back',
      async () => {
        const sources = page
          .locator('.panel')
          .filter({ has: page.getByRole('heading', { name: 'Sources' }) });
        await sources.locator('.bar-row').first().waitFor();
        await page.locator('.panel .retention').waitFor({ state: 'attached' });
        const asked: string[][] = [];
        await page.route('**/api/stats/batch', async (route) => {
          const { questions } = route.request().postDataJSON() as { questions: { kind: string }[] };
          asked.push(questions.map(({ kind }) => kind));
          await route.continue();
        });
        const google = sources.getByRole('button', { name: 'Google', exact: false }).first();
        await google.click();
        await page.locator('.chip-text').filter({ hasText: 'Google' }).waitFor();
        await sources.locator('.bar-head').filter({ hasText: 'Referrer' }).waitFor();
        await sources.locator('.bar-row').first().waitFor();
        assert.equal(asked.length, 1, 'the finer list was asked for too');
        assert.ok(
          asked[0]!.filter((kind) => kind === 'query').length > 5,
          'expected the lists and the chart',
        );
        assert.ok(asked[0]!.includes('funnel'), 'expected the panels below too');
        await page.unroute('**/api/stats/batch');
        await sources.locator('[aria-current]').filter({ hasText: 'Google' }).waitFor();
        await page.waitForFunction(() => document.activeElement?.getAttribute('aria-current') === 'true');
        await page.keyboard.press('Shift+Tab');
        await page.keyboard.press('Enter');
        await page.locator('.chip').waitFor({ state: 'detached' });
      },
    );
    await t.test('a filter on a parameter takes its name, and any text', async () => {
      await page.keyboard.press('/');
      await field(page, 'Filter by').selectOption('Parameter value');
      await field(page, 'Condition').selectOption('contains');
      await field(page, 'Parameter (optional)').fill('plan');
      await button(page, 'Add filter').click();
      await page.getByText('Enter a value or choose one from the list.').waitFor();
      await field(page, 'Value').fill('pr');
      await button(page, 'Add filter').click();
      await page.locator('.chip-text').filter({ hasText: 'plan contains pr' }).waitFor();
      assert.equal(search(page), '?f=parameterValue(plan):contains:pr');
    });
    await t.test('says once that no data matches the filters, with a way out', async () => {
      await turnTo(page, '/websites/1?f=page:is:/nowhere-at-all');
      await page.getByText('No data matches these filters').waitFor();
      assert.equal(await page.locator('.panel:visible').count(), 0);
      await button(page, 'Clear filters').click();
      await page.locator('.panel:visible').first().waitFor();
      assert.equal(search(page), '');
    });
    await t.test('a tab is in the address, and adds nothing to the history', async () => {
      const before = await page.evaluate(() => history.length);
      await page.getByRole('tab', { name: 'Channels' }).click();
      assert.equal(search(page), '?sources=channel');
      assert.equal(await page.evaluate(() => history.length), before);
      await turnTo(page, '/websites/1?sources=referrer&devices=os');
      await page.getByRole('tab', { name: 'Referrers', selected: true }).waitFor();
      await page.getByRole('tab', { name: 'Systems', selected: true }).waitFor();
    });
    if (isLongForm)
      await t.test('a filter chosen below the fold is visible and can be removed there', async () => {
        await turnTo(page, '/websites/1?f=country:is:DE');
        // Waits until the lists show the new view and change no more.
        await page.locator('.crumbs-down').filter({ hasText: 'Germany' }).waitFor();
        const devices = page
          .locator('.panel')
          .filter({ has: page.getByRole('heading', { name: 'Devices' }) });
        await devices.locator('.bar-row').filter({ hasText: 'Chrome' }).waitFor();
        const row = devices.locator('button.bar-button').last();
        await row.scrollIntoViewIfNeeded();
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
        const scrolled = await page.evaluate(() => scrollY);
        assert.ok(scrolled > 600, 'the page is longer than the window');
        await row.evaluate((element: HTMLElement) => element.click());
        await page.locator('.chip').nth(1).waitFor();
        const isOnTop = (selector: string) =>
          page
            .locator(selector)
            .last()
            .evaluate((element) => {
              const { left, top, width, height } = element.getBoundingClientRect();
              const found = document.elementFromPoint(left + width / 2, top + height / 2);
              return found !== null && element.contains(found);
            });
        for (const selector of ['.chip-cross', '.filters-clear', '.range .menu-root > .button'])
          assert.equal(await isOnTop(selector), true, selector);
        await button(page, 'Clear all').click();
        await page.locator('.chip').first().waitFor({ state: 'detached' });
        assert.ok((await page.evaluate(() => scrollY)) > 300, 'without going back to the top');
        // A focused element is not hidden by the pinned controls.
        await page.getByRole('slider').focus();
        const [chart, header] = await Promise.all(
          ['.chart', '.header'].map(async (selector) => (await page.locator(selector).boundingBox())!),
        );
        assert.ok(chart!.y >= header!.y + header!.height - 1, 'the chart is below the header');
      });
    await t.test('filtered by an event, the cards show only what is meaningful', async () => {
      const labels = () => page.locator('.stat-label').allTextContents();
      await turnTo(page, '/websites/1?f=event:is:signup&metric=bounceRate&compare=none');
      await page.locator('.stats[data-cards="4"] .stat-value').last().filter({ hasText: '%' }).waitFor();
      assert.deepEqual(
        (await labels()).map((label) => label.replace(/ ·.*/, '')),
        ['Visitors', 'Visits', 'Events', 'Conversion rate'],
      );
      assert.equal(await page.locator('.stat[aria-pressed=true] .stat-label').count(), 1);
      await button(page, /^Conversion rate/).click();
      await page.getByText('Conversion rate by day').waitFor({ state: 'attached' });
      await page.keyboard.press('x');
      await page.locator('.stats[data-cards="6"]').waitFor();
    });
    await t.test('the chart names its lines, and takes a second metric', async () => {
      await turnTo(page, '/websites/1?period=90d');
      const legend = page.getByRole('list', { name: 'Legend' });
      await legend.getByRole('listitem').nth(1).waitFor();
      const [first, before] = await legend.getByRole('listitem').allTextContents();
      assert.equal(first, 'Visitors');
      assert.match(before!, /^\d+ \p{L}+\s?–\s?\d+ \p{L}+/u, 'the days of the comparison');
      await button(page, 'Add metric').click();
      await page.getByRole('menuitemradio', { name: 'Page views' }).click();
      await button(page, 'Second metric: Page views').waitFor();
      assert.equal(search(page), '?period=90d&second=pageViews');
      const columns = page.locator('.chart th[scope=col]');
      assert.deepEqual(await columns.allTextContents(), ['Time', 'Visitors', 'Compared', 'Page views']);
      await page.getByRole('slider').focus();
      const told = await page.getByRole('slider').getAttribute('aria-valuetext');
      assert.match(told!, /: [\d,]+ visitors so far, [\d,]+ page views, \w+ \d+ \w+: [\d,]+ visitors$/);
      await page.keyboard.press('Home');
      await turnTo(page, '/websites/1?period=2026-01-01..2026-01-03');
      await page.locator('.chart canvas').waitFor();
    });
    await t.test('the cards have the same height with and without a comparison', async () => {
      const heightOfCards = async () => {
        await page.locator('.stat-value .skeleton').first().waitFor({ state: 'detached' });
        return (await page.locator('.stats').boundingBox())!.height;
      };
      await turnTo(page, '/websites/1?compare=none');
      await page.locator('.stat-change').first().waitFor({ state: 'detached' });
      const withoutComparison = await heightOfCards();
      assert.equal(await page.locator('.stat-change').count(), 0);
      await turnTo(page, '/websites/1');
      await page.locator('.stat-change').first().waitFor();
      assert.equal(withoutComparison, await heightOfCards());
    });
    await t.test('a note that is added while the others are loading again stays', async () => {
      const flags = page.locator('.chart-flag');
      await flags.nth(1).waitFor();
      const before = await flags.count();
      const held = Promise.withResolvers<() => Promise<void>>();
      let asked = 0;
      await page.route('**/api/websites/1/notes', async (route) => {
        if (route.request().method() !== 'GET') return await route.continue();
        asked += 1;
        if (asked > 1) return await route.continue();
        const response = await route.fetch();
        held.resolve(() => route.fulfill({ response }));
      });
      await page.evaluate(() => window.dispatchEvent(new Event('focus')));
      const answerAsBefore = await held.promise;
      await button(page, 'Add note').click();
      await field(page, 'What happened?').fill('A new logo');
      await button(page.getByRole('dialog'), 'Add note').click();
      await flags.nth(before).waitFor();
      // It fails if the page has given the request up.
      await answerAsBefore().catch(() => {});
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 100)));
      assert.equal(await flags.count(), before + 1);
      await page.unroute('**/api/websites/1/notes');
    });
    if (isLongForm)
      await t.test(
        'the keys do what their list says, except while somebody types, and there are buttons for the arrows',
        async () => {
          await page.evaluate(() => (document.activeElement as HTMLElement).blur());
          await turnTo(page, '/websites/1?f=country:is:DE');
          await page.locator('.chip-text').filter({ hasText: 'Germany' }).waitFor();
          await page.keyboard.press('3');
          await turnedTo(page, 'Last 7 days');
          await page.keyboard.press('ArrowLeft');
          await page.waitForFunction(() => location.search.includes('..'));
          await page.keyboard.press('ArrowRight');
          await turnedTo(page, 'Last 7 days');
          await page.keyboard.press('x');
          await page.locator('.chip').waitFor({ state: 'detached' });
          await page.keyboard.press('?');
          await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
          const keys = await page.getByRole('dialog').locator('kbd').allTextContents();
          for (const key of ['/', 'X', '←', '→', '1', '9', 'H', 'W', 'Q', 'Y', 'C', '?'])
            assert.ok(keys.includes(key), key);
          await page.keyboard.press('5');
          await page.keyboard.press('Escape');
          await page.keyboard.press('/');
          await field(page, 'Value').fill('');
          await page.keyboard.type('1x?/');
          assert.equal(await field(page, 'Value').inputValue(), '1x?/');
          await page.keyboard.press('Escape');
          assert.equal(search(page), '?period=7d');
          await page.keyboard.press('1');
          await turnedTo(page, 'Today');
          await page.keyboard.press('ArrowRight');
          assert.equal(search(page), '?period=today', 'nothing comes after today');
          assert.equal(await button(page, 'Next period').getAttribute('aria-disabled'), 'true');
          await button(page, 'Previous period').click();
          await turnedTo(page, 'Yesterday');
          await button(page, 'Next period').click();
          await turnedTo(page, 'Today');
          // Right after midnight, today has too few visitors for a list of pages.
          await page.keyboard.press('3');
          await turnedTo(page, 'Last 7 days');
          await page.keyboard.press('/');
          const options = page.getByRole('dialog').locator('.combobox-option');
          await options.first().waitFor();
          await page.waitForFunction(() => document.activeElement?.role === 'combobox');
          await page.keyboard.type('/pri');
          await options.filter({ hasText: '/pricing' }).first().waitFor();
          await page.keyboard.press('ArrowDown');
          await page.keyboard.press('Enter');
          await page.locator('.chip-text').filter({ hasText: 'Page is /pri' }).waitFor();
          await page.keyboard.press('l');
          await page.waitForURL('**/websites/1/live');
        },
      );
    if (isLongForm)
      await t.test('nothing moves while the panels load, and each is then as tall as its rows', async () => {
        await page.evaluate(() => localStorage.clear());
        await page.setViewportSize({ width: 1280, height: 3600 });
        const devices = page.locator('.panel').filter({ has: page.getByRole('tab', { name: 'Browsers' }) });
        const look = async () => {
          await page.goto(new URL('/websites/1', page.url()).href);
          await page.locator('.panel .retention').waitFor();
          await page.waitForFunction(() => document.querySelector('.panel .skeleton') === null);
          const shift = await layoutShift(page);
          assert.ok(shift < 0.0005, `expected no shift, got ${shift}`);
          return (await devices.boundingBox())!.height;
        };
        const reserved = await look();
        await page.keyboard.press('3');
        await turnedTo(page, 'Last 7 days');
        const free = (await devices.boundingBox())!.height;
        assert.ok(free < reserved, `expected less than ${reserved} pixels, got ${free}`);
        assert.equal(await look(), free, 'the next look knows it');
      });
  });

  test('says once that the statistics failed, and asks for all of them again', async (t) => {
    const { page } = await open(t, '/websites/1', undefined, (page) =>
      page.route('**/api/stats/batch', (route) => route.fulfill({ status: 500, body: '{}' })),
    );
    const tryAgain = page.getByRole('button', { name: 'Try again' });
    await tryAgain.waitFor();
    await page.locator('.panel:visible').first().waitFor({ state: 'hidden' });
    assert.equal(await tryAgain.count(), 1);
    assert.equal(await page.locator('.skeleton:visible').count(), 0, 'nothing seems to be loading');
    await page.unroute('**/api/stats/batch');
    await tryAgain.click();
    await page.locator('.panel .bar-row').first().waitFor();
    await page.locator('.stat-value').first().waitFor();
    assert.equal(await page.locator('.list-fault').count(), 0);
  });
}
