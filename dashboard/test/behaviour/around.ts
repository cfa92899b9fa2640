import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Questions } from '@trackside/contract/stats/questions.ts';
import type { Page } from 'playwright-core';
import { isLongForm, testLong } from '../../../server/test/support/long-form.ts';
import { turnTo } from '../analytics/read-page.ts';
import { ago, fullData } from '../stand-in/stand-in-data.ts';
import type { Open } from './create-opener.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

/** The frame around the pages, and what they have in common. */
export function testAround(open: Open): void {
  test('numbers appear on their own when the engine is back', async (t) => {
    const { page, data } = await open(t, '/websites', { ...fullData('admin'), isEngineAway: true });
    await page.getByText('Statistics are starting up').first().waitFor();
    data.isEngineAway = false;
    await page.getByText('2,398').waitFor();
  });

  testLong('the live view claims nothing about a server that it can’t reach', async (t) => {
    const { page } = await open(t, '/websites', fullData('admin'), (opened) => opened.clock.install());
    const live = '**/api/websites/1/live';
    await page.route(live, (route) => route.abort());
    const broken = page.waitForEvent('requestfailed');
    await turnTo(page, '/websites/1/live');
    await broken;
    await page.route('**/api/**', (route) => route.abort());
    await page.clock.fastForward(6_000);
    await page.getByText('Connection lost').waitFor();
    // The page may have noticed the failure only after its clock was set forward.
    await page.locator('.live-number').filter({ hasText: /^–$/ }).waitFor();
    assert.equal(await page.getByText('Records are still accepted').count(), 0);
    await page.unroute('**/api/**');
    await page.unroute(live);
    await page.getByText('Connection lost').waitFor({ state: 'detached' });
    await page.locator('.live-number').filter({ hasText: /\d/ }).waitFor();
  });

  test('a new website shows that it is loading until it is known whether it has records', async (t) => {
    const data = fullData('admin');
    data.websites[4]!.createdAt = ago(0);
    const { page } = await open(t, '/websites/5', data, (opened) =>
      opened.route('**/api/stats/batch', () => {}),
    );
    await page.locator('.website-skeleton > .skeleton').first().waitFor();
    assert.equal(await page.locator('h1').textContent(), 'status.example.com');
  });

  test('the waiting line turns into the record', async (t) => {
    const { page, data } = await open(t, '/websites/5', { ...fullData('admin'), requests: [] });
    await page.getByText('Waiting for the first record').waitFor();
    const [record] = fullData('admin').requests;
    data.requests = [{ ...record!, at: ago(0) }];
    await page.getByText('Page view received').waitFor();
    await page.getByText('Firefox on Linux').waitFor();
    await button(page, 'Load demo data').click();
    await page.getByText('Loading demo data… 42%').waitFor();
    assert.equal(await page.getByText('This is demo data.').count(), 0);
  });

  test('the sign-in form counts down after too many attempts', async (t) => {
    const data = { ...fullData('admin'), session: undefined, throttleSeconds: 3 };
    const { page } = await open(t, '/sign-in', data);
    await page.getByLabel('Email').fill('owner@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await button(page, 'Sign in').click();
    await page.getByText('3 seconds').waitFor();
    data.throttleSeconds = 0;
    await page.getByText('Too many attempts').waitFor({ state: 'detached' });
    await button(page, 'Sign in').click();
    await page.waitForURL('**/websites');
  });

  test('an incomplete setup link works once the rest is added', async (t) => {
    const data = { ...fullData('admin'), session: undefined, isSetupNeeded: true };
    const { page } = await open(t, '/setup', data);
    await page.getByText('only part of the setup link').waitFor();
    await page.evaluate(() => {
      location.hash = 'right';
    });
    await page.getByLabel('Password', { exact: true }).waitFor();
  });

  testLong('going to another page does not change the view of this one', async (t) => {
    const { page } = await open(t, '/websites/1?period=7d&f=country:is:DE');
    await page.locator('.chip').waitFor();
    const asked: { question: Questions['query'] }[] = [];
    await page.route('**/api/stats/batch', async (route) => {
      asked.push(...route.request().postDataJSON().questions);
      await route.continue();
    });
    await page.getByRole('link', { name: 'Trackside, all websites' }).click();
    await page.getByRole('heading', { name: 'Websites', exact: true }).waitFor();
    const isUnfiltered = ({ question }: (typeof asked)[number]) => question.filters?.length === 0;
    assert.deepEqual(asked.filter(isUnfiltered), []);
    await page.goBack();
    await page.locator('.chip').filter({ hasText: 'Germany' }).waitFor();
  });

  testLong('a viewer has no settings and no links to them', async (t) => {
    const { page } = await open(t, '/websites', fullData('viewer'));
    await page.getByText('Oak & Lamp shop').waitFor();
    assert.equal(await page.locator('a[href*=settings], a[href$=new]').count(), 0);
    await button(page, /guest@example\.com/).click();
    assert.deepEqual(await page.getByRole('menuitem').allTextContents(), ['Websites', 'Account', 'Sign out']);
    await page.goto(new URL('/websites/1/settings', page.url()).href);
    await page.getByText('There’s nothing at this address').waitFor();
  });

  test('what can be done in one window, step by step', async (t) => {
    const { page, data } = await open(t, '/websites');
    await t.test('Back leads to the previous page, and titles follow', async () => {
      await page.getByRole('link', { name: 'Oak & Lamp shop', exact: true }).click();
      await page.waitForFunction(() => document.title === 'Oak & Lamp shop · Trackside');
      await page.goBack();
      await page.waitForFunction(() => document.title === 'Websites · Trackside');
    });
    await t.test('a website without a quota and without own records counts none', async () => {
      const usage = page.locator('.website', { hasText: 'status.example.com' }).locator('.website-usage');
      assert.equal(await usage.textContent(), 'No limit');
    });
    await t.test('a page that fails says so, and the others still open', async () => {
      await page.route('**/api/audit', (route) => route.fulfill({ json: { surprise: true } }));
      await button(page, /owner@example\.com/).click();
      await page.getByRole('menuitem', { name: 'Audit log' }).click();
      await page.getByText('Something went wrong on this page').waitFor();
      await page.getByRole('link', { name: 'Trackside, all websites' }).click();
      await page.getByText('visitors in 24 hours').first().waitFor();
    });
    await t.test('the chosen theme is applied before the first paint, and stays', async () => {
      await turnTo(page, '/websites');
      await button(page, 'Theme').click();
      await page.getByRole('menuitemradio', { name: 'Dark' }).click();
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      assert.equal(await background(), 'rgb(12, 18, 16)');
      await page.reload({ waitUntil: 'commit' });
      await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
      await button(page, 'Theme').click();
      await page.getByRole('menuitemradio', { name: 'System' }).click();
      assert.equal(await background(), 'rgb(247, 248, 247)');
    });
    await t.test('only numbers have digits of equal width, which would widen hyphens', async () => {
      const digits = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((element) => getComputedStyle(element).fontVariantNumeric);
      assert.equal(await digits('.website-domain'), 'normal');
      assert.equal(await digits('.website-visitors b'), 'tabular-nums');
    });
    if (isLongForm)
      await t.test('a phone has the account menu, the settings and the themes on every page', async () => {
        const desktop = page.viewportSize()!;
        await page.setViewportSize({ width: 360, height: 740 });
        for (const path of ['/websites/1', '/websites/1/live', '/websites/1/integrate']) {
          await turnTo(page, path);
          await page.locator('.header').getByRole('link', { name: 'Settings', exact: true }).waitFor();
          await button(page, /owner@example\.com/).waitFor();
        }
        await button(page, /owner@example\.com/).click();
        await page.getByRole('menuitemradio', { name: 'Light' }).click();
        assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'light');
        await turnTo(page, '/websites/1?period=12m');
        const label = button(page, /^Period:/).locator('.cut');
        await label.filter({ hasText: 'Last 12 months' }).waitFor();
        const hiddenPx = await label.evaluate((element) => element.scrollWidth - element.clientWidth);
        assert.equal(hiddenPx, 0, 'the whole name of the period is visible');
        await page.setViewportSize(desktop);
      });
    await t.test('the language of the account changes the page at once', async () => {
      await turnTo(page, '/account');
      await page.getByLabel('Deutsch').check();
      await page.getByRole('heading', { name: 'Konto' }).waitFor();
      assert.equal(data.session?.user.language, 'de');
      await page.waitForFunction(() => document.documentElement.lang === 'de');
      await page.getByLabel('Wie im Browser').check();
      await page.getByRole('heading', { name: 'Account' }).waitFor();
      assert.equal(data.session?.user.language, null);
    });
    await t.test('a website that doesn’t exist has no link to its settings', async () => {
      await turnTo(page, '/websites/99');
      await page.locator('.empty').getByText('Website not found').waitFor();
      assert.equal(await page.locator('.header a[href$="/settings"]').isVisible(), false);
    });
    await t.test('a new website is there at once', async () => {
      await turnTo(page, '/websites/new');
      await page.getByRole('radio', { name: 'At most' }).check();
      const focused = await page.evaluate(() => document.activeElement?.getAttribute('name'));
      assert.equal(focused, 'contingent', 'the limit can be typed at once');
      await page.getByRole('radio', { name: 'No limit' }).check();
      await page.getByLabel('Domain').fill('new.example.com');
      await button(page, 'Add website').click();
      await page.getByRole('heading', { name: 'new.example.com' }).waitFor();
      await page.getByText('Send records from your backend').waitFor();
    });
    if (isLongForm)
      await t.test('demo data is marked as such, and a button removes it', async () => {
        data.demo = { state: 'loaded', done: 1, records: 48_120 };
        await turnTo(page, data.websites[0]!.share.path!);
        await page.getByText('The server made up 48,120 records.').waitFor();
        assert.equal(await button(page, 'Remove demo data').count(), 0, 'strangers only read');
        await turnTo(page, '/websites/2');
        await page.getByText('The server made up 48,120 records. Remove them').waitFor();
        await button(page, 'Remove demo data').click();
        await page.getByText('Removing demo data…').waitFor();
        const loadedAgain = page.waitForEvent('load');
        data.demo = { state: 'none', done: 0, records: 0 };
        await loadedAgain;
        await page.getByRole('heading', { name: 'Sources' }).waitFor();
      });
    await t.test(
      'announces a quota that is nearly or completely used up, with the refused records',
      async () => {
        await turnTo(page, '/websites/3');
        await page.getByText('You’ve used 96% of this month’s quota.').waitFor();
        await turnTo(page, '/websites/4');
        await page
          .getByText('1,204 records have been refused this month, counted since the server started.')
          .waitFor();
        await page.getByRole('link', { name: 'Change quota' }).click();
        await page.getByRole('heading', { name: 'Monthly quota' }).waitFor();
        assert.equal(new URL(page.url()).hash, '#quota');
        await turnTo(page, '/websites/1');
        await page.getByRole('heading', { name: 'Sources' }).waitFor();
        assert.equal(await page.locator('.quota').count(), 0);
      },
    );
    if (isLongForm)
      await t.test('on a phone, notices cover no control, and no control covers them', async () => {
        const desktop = page.viewportSize()!;
        await page.setViewportSize({ width: 360, height: 740 });
        data.demo = { state: 'loaded', done: 1, records: 48_120 };
        await turnTo(page, '/websites/4');
        for (const text of ['records have been refused', 'This is demo data'])
          await page.getByText(text).waitFor();
        await page.getByRole('heading', { name: 'Sources' }).waitFor();
        await page.route('**/api/**', (route) => route.abort());
        await page.evaluate(() => window.dispatchEvent(new Event('focus')));
        await page.getByText('Connection lost').waitFor();
        assert.deepEqual(await findCovered(page), []);
        await page.unroute('**/api/**');
        await page.getByText('Connection lost').waitFor({ state: 'detached' });
        data.demo = { state: 'none', done: 0, records: 0 };
        await page.setViewportSize(desktop);
      });
    await t.test('the key is in the code only after somebody asks for it', async () => {
      await turnTo(page, '/websites/1/integrate');
      await page.getByText('YOUR_API_KEY').first().waitFor();
      assert.equal(await page.locator('.card-about > code').textContent(), 'Trackside-Dry-Run: 1');
      assert.ok(!(await page.content()).includes(data.apiKey));
      await button(page, 'Insert API key').click();
      await page.getByText('Use it only on your server').waitFor();
      assert.ok((await page.locator('pre').first().textContent())?.includes(data.apiKey));
      await button(page, 'Hide key').click();
      assert.ok(!(await page.content()).includes(data.apiKey));
    });
    await t.test('shows a 401 that arrives meanwhile, with its reason', async () => {
      data.unauthorized = { at: ago(0), kind: 'page_view', message: 'Unauthorized' };
      await page.getByText('because its API key is unknown').waitFor();
      data.unauthorized = null;
    });
    await t.test('shows the whole path in the chosen language', async () => {
      await page.getByRole('tab', { name: 'Node' }).click();
      const code = (await page.locator('pre').allTextContents()).join('\n');
      for (const part of ['@trackside/sdk', 'src="/side"', 'trackEvent(request', 'trackside.mjs serve'])
        assert.ok(code.includes(part), part);
    });
    await t.test('on a phone, no button covers the code that it copies', async () => {
      await page.setViewportSize({ width: 360, height: 740 });
      const code = (await page.locator('pre').first().boundingBox())!;
      const copy = (await button(page, 'Copy').first().boundingBox())!;
      await page.setViewportSize({ width: 1280, height: 720 });
      assert.ok(copy.y + copy.height <= code.y, `expected ${copy.y} and ${copy.height} above ${code.y}`);
    });
    await t.test('copying a text moves nothing', async () => {
      const copy = page.locator('.code-head .button').first();
      const widthOfCopy = async () => (await copy.boundingBox())!.width;
      const before = await widthOfCopy();
      await copy.click();
      await page.locator('.copy[data-copied=true]').waitFor();
      assert.equal(await widthOfCopy(), before);
    });
    if (isLongForm)
      await t.test('asks only about those of a thousand websites that are on the screen', async () => {
        const asked = new Set<string>();
        page.on('request', (request) => request.url().endsWith('/activity') && asked.add(request.url()));
        const [{ usage, ...website }] = data.websites as [(typeof data.websites)[number]];
        data.websites = Array.from({ length: 1_000 }, (_, index) => ({
          ...website,
          id: index + 1,
          name: `Shop ${index + 1}`,
          usage: { ...usage, used: index },
        }));
        const activity = data.activity.get(1)!;
        for (const { id } of data.websites) data.activity.set(id, activity);
        await turnTo(page, '/websites');
        await page.waitForFunction(() => {
          window.dispatchEvent(new Event('focus'));
          return document.querySelector('.website-row .sparkline');
        });
        const names = () => page.locator('.website-name').allTextContents();
        assert.equal((await names())[0], 'Shop 1000', 'the one with the most traffic comes first');
        assert.ok(asked.size < 50, `expected few requests, got ${asked.size}`);
        await page.getByRole('searchbox', { name: 'Search websites' }).fill('shop 77');
        await page.getByLabel('Sort by').selectOption('Name');
        await page.waitForFunction(() => document.querySelectorAll('.website-rows li').length === 19);
        assert.equal((await names())[0], 'Shop 77');
        assert.match(page.url(), /\?search=shop\+77&sort=name$/);
      });
  });
}

/** The texts of the controls and notices of the first screen that something else covers. */
const findCovered = (page: Page) =>
  page.evaluate(() => {
    // Clicks go through the banner of the connection, so only its place tells what it covers.
    const banner = document.querySelector('.connection > p')!.getBoundingClientRect();
    return [...document.querySelectorAll('.header :is(a, button), .header-tools button, .quota, .quota *')]
      .filter((element) => {
        const { x, y, width, height, bottom } = element.getBoundingClientRect();
        if (width <= 1 || y < 0 || bottom > innerHeight) return false;
        const front = document.elementFromPoint(x + width / 2, y + height / 2);
        const isInFront = element.contains(front) || front?.contains(element);
        return !isInFront || (y < banner.bottom && bottom > banner.y);
      })
      .map((element) => element.textContent);
  });
