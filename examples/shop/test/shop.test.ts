import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Row } from '../../../dashboard/test/analytics/count-people.ts';
import { chooseDays } from '../../../dashboard/test/analytics/days.ts';
import {
  button,
  dialog,
  panel,
  row,
  rows,
  shows,
  tab,
  value,
} from '../../../dashboard/test/analytics/read-page.ts';
import { openChromium } from '../../../dashboard/test/open-chromium.ts';
import { type AppClient, createAppClient } from '../../../server/test/support/app-client.ts';
import { testLong } from '../../../server/test/support/long-form.ts';
import { startTrackside, type Trackside } from '../../../server/test/support/start-trackside.ts';
import { waitFor } from '../../../server/test/support/wait-for.ts';
import { openShops, untilKnown } from './open-shops.ts';
import { awaySeconds, testTracksideAway } from './trackside-away.ts';

// People in a real Chromium visit both shops, and someone else looks at the dashboard.

const user = { email: 'ada@example.com', password: 'a long enough secret' };

let trackside: Trackside;
const cleanUps: (() => Promise<void>)[] = [];
before(async () => {
  const environment = { TRACKSIDE_ADMIN_EMAIL: user.email, TRACKSIDE_ADMIN_PASSWORD: user.password };
  trackside = await startTrackside({ after: (cleanUp) => cleanUps.push(cleanUp) }, { environment });
});
after(async () => {
  for (const cleanUp of cleanUps) await cleanUp();
});

const desktop: BrowserContextOptions = {
  userAgent:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  locale: 'de-DE',
  viewport: { width: 1280, height: 800 },
  screen: { width: 1440, height: 900 },
  extraHTTPHeaders: { 'cf-connecting-ip': '203.0.113.10', 'cf-ipcountry': 'DE' },
};
const phone: BrowserContextOptions = {
  userAgent:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile ' +
    'Safari/537.36',
  locale: 'fr-CA',
  viewport: { width: 412, height: 800 },
  screen: { width: 412, height: 915 },
  isMobile: true,
  hasTouch: true,
  extraHTTPHeaders: { 'cf-connecting-ip': '2001:db8::7', 'cf-ipcountry': 'CA' },
};

async function openPage(browser: Browser, options: BrowserContextOptions, faults: string[]): Promise<Page> {
  const context = await browser.newContext({ ...options, reducedMotion: 'reduce' });
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  page.on('pageerror', (error) => faults.push(String(error.stack)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  return page;
}

/** Someone finds the shop in a forum, looks around, goes back and forth, and buys a map. */
async function buyMap(page: Page, shop: string): Promise<void> {
  const link = (name: string) => page.getByRole('main').getByRole('link', { name, exact: true });
  const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
  await page.goto(shop, { referer: 'https://news.ycombinator.com/' });
  await link('See all maps').click();
  await heading('All maps');
  await link('Islands').click();
  await heading('Islands');
  await page.goBack();
  await heading('All maps');
  await page.goForward();
  await heading('Islands');
  await page.getByRole('link', { name: /Skerra/ }).click();
  await heading('Skerra');
  await page.getByRole('button', { name: 'Add to basket' }).click();
  await heading('Your basket');
  await link('Check out').click();
  await page.getByLabel('Name').fill('Ada');
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Address').fill('Somewhere 1');
  await page.getByRole('button', { name: 'Pay €44.00' }).click();
  await heading('Thank you');
  await page.reload();
  await heading('Thank you');
}

/**
 * Someone else types the address on a phone, reads, and only puts something into the basket. Each page is a
 * document of its own, and counts once its script has run.
 */
async function lookAround(page: Page, shop: string): Promise<void> {
  const arrive = async (name: string | RegExp) => {
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.waitForLoadState();
  };
  await page.goto(`${shop}/maps/peaks`);
  await page.getByRole('link', { name: /Steinkar/ }).tap();
  await arrive(/Steinkar/);
  await page.getByRole('button', { name: 'Add to basket' }).tap();
  await arrive('Your basket');
  await page.getByRole('link', { name: 'About' }).tap();
  await arrive('About Isoline');
  // This is another document: whether it is reloaded or kept by the browser, it counts as seen again.
  await page.goBack();
  await arrive('Your basket');
}

async function openDashboard(browser: Browser) {
  const admin: AppClient = createAppClient(trackside.origin);
  assert.equal((await admin.ask('POST', '/api/session', { body: user })).status, 200);
  // Midnight, which would split the visits, is more than an hour away in this timezone.
  const timezone = chooseDays(Date.now()).todayZone;
  const website = { domain: 'isoline.example', timezone, contingent: null };
  const { body: added } = await admin.ask('POST', '/api/websites', { body: website });
  const { body: key } = await admin.ask('GET', `/api/websites/${added.id}/key`);
  await untilKnown(trackside.origin(), key.apiKey);
  return {
    options: { url: trackside.origin(), apiKey: key.apiKey as string, timeoutMs: 120_000 },
    /** Waits here, because a page that was opened earlier would show the numbers later than a test waits. */
    async untilCounted(expected: { pageViews: number; events: number }): Promise<void> {
      const headers = { 'Trackside-Website': String(added.id) };
      const question = { period: 'all', metrics: Object.keys(expected) };
      await trackside.untilTakenUp();
      await waitFor('all records to be counted', async () => {
        const { body } = await admin.ask('POST', '/api/stats/query', { headers, body: question });
        return isDeepStrictEqual(body.rows?.[0]?.metrics, expected);
      });
    },
    async open(faults: string[]): Promise<Page> {
      const page = await openPage(
        browser,
        { locale: 'en-GB', viewport: { width: 1280, height: 900 } },
        faults,
      );
      const [name = '', value = ''] = admin.cookie()!.split(/=(.*)/s);
      await page.context().addCookies([{ name, value, url: trackside.origin() }]);
      await page.goto(`${trackside.origin()}/websites/${added.id}?period=today`);
      return page;
    },
  };
}

test('the dashboard shows what people do in both shops', async (t) => {
  const browser = await openChromium();
  t.after(() => browser.close());
  const dashboard = await openDashboard(browser);
  const shops = await openShops(t, dashboard.options);
  const faults: string[] = [];
  const [buyer, reader] = [await openPage(browser, desktop, faults), await openPage(browser, phone, faults)];
  await Promise.all([buyMap(buyer, shops.expressUrl), lookAround(reader, shops.honoUrl)]);
  // What the browsers have sent last may not be there yet, and then nothing is queued either.
  await waitFor('the last records to be accepted', () => shops.client.counts().accepted >= 19);
  await shops.untilSent(300_000);
  assert.deepEqual(shops.client.counts(), { queued: 0, accepted: 19, refused: 0, dropped: 0, retried: 0 });
  await dashboard.untilCounted({ pageViews: 15, events: 4 });

  const page = await dashboard.open(faults);
  const showsTab = async (title: string, name: string, expected: Row[]) => {
    await tab(panel(page, title), name).click();
    await shows(() => rows(panel(page, title)), expected, `${title}, ${name}`);
  };

  await t.test('shows two visitors with their page views', async () => {
    await shows(() => value(page, 'Visitors'), '2');
    await shows(() => value(page, 'Visits'), '2');
    await shows(() => value(page, 'Page views'), '15');
  });

  await t.test('counts each page as often as it was viewed, including single-page ones', async () => {
    await button(panel(page, 'Pages'), 'All pages').click();
    const cells = () =>
      dialog(page)
        .locator('tbody tr')
        .evaluateAll((all) => all.map((found) => [...found.children].map((cell) => cell.textContent ?? '')));
    /**
     * Path, visitors, visits, page views. The text after the path belongs to the link that opens it; the share
     * and the change of the visitors stand between.
     */
    const pages = async () =>
      (await cells())
        .map(([path = '', visitors, , , visits, views]) => [
          path.replace(/Open .*/, ''),
          visitors,
          visits,
          views,
        ])
        .sort();
    await shows(pages, [
      ['/', '1', '1', '1'],
      ['/about', '1', '1', '1'],
      ['/basket', '2', '2', '3'],
      ['/checkout', '1', '1', '1'],
      ['/maps', '1', '1', '2'],
      ['/maps/islands', '1', '1', '2'],
      ['/maps/islands/skerra', '1', '1', '1'],
      ['/maps/peaks', '1', '1', '1'],
      ['/maps/peaks/steinkar', '1', '1', '1'],
      ['/thanks', '1', '1', '2'],
    ]);
    await page.keyboard.press('Escape');
  });

  await t.test('shows where they came from, and where they are', async () => {
    await showsTab('Sources', 'Top sources', [
      ['Direct', '1'],
      ['Hacker News', '1'],
    ]);
    await showsTab('Locations', 'Countries', [
      ['Canada', '1'],
      ['Germany', '1'],
    ]);
    await showsTab('Locations', 'Languages', [
      ['French', '1'],
      ['German', '1'],
    ]);
  });

  await t.test('shows their screens and devices', async () => {
    await showsTab('Devices', 'Screens', [
      ['1440×900', '1'],
      ['412×915', '1'],
    ]);
    await showsTab('Devices', 'Types', [
      ['Desktop', '1'],
      ['Phone', '1'],
    ]);
  });

  await t.test('shows the events of both browsers and of the server, with their parameters', async () => {
    const column = (index: number) => panel(page, 'Events').locator('.bar-list').nth(index);
    await shows(
      () => rows(column(0)),
      [
        ['Add to basket', '2'],
        ['Order', '1'],
        ['Order paid', '1'],
      ],
    );
    await row(column(0), 'Add to basket').getByRole('button').first().click();
    await row(column(1), 'map').getByRole('button').first().click();
    await shows(
      () => rows(column(2)),
      [
        ['Skerra', '1'],
        ['Steinkar', '1'],
      ],
    );
    await row(column(0), 'Order paid').getByRole('button').first().click();
    await row(column(1), 'total').getByRole('button').first().click();
    await shows(() => rows(column(2)), [['44', '1']]);
  });
  assert.deepEqual(faults, [], 'no page has complained');
});

testLong(`nothing is lost or counted twice when Trackside is killed and away for ${awaySeconds} s`, (t) =>
  testTracksideAway(t, trackside),
);
