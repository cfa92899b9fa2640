import type { Page, Route } from 'playwright-core';
import {
  admin,
  engineAway,
  viewer,
  withDemo,
  withLongNames,
  withoutKept,
  withoutVisitors,
  withQuota,
} from './matrix-data.ts';
import type { Hand, MatrixOverlay, MatrixState } from './matrix-state.ts';

const site = '/websites/1';
const shared = '/share/q7hV2mXc0TzLd9RkA4sEwg';
const rows = ({ page }: Hand) => page.waitForSelector('.bar-row');

const openMenu = (page: Page) => page.click('.range [aria-haspopup]');
const panelMore =
  (panel: number, button = 0) =>
  (hand: Hand) =>
    hand.page.locator(`.panels > .panel:nth-child(${panel}) .panel-more`).nth(button).click();

const details = (name: string, panel: number): MatrixOverlay => ({
  name,
  open: async (hand) => {
    await panelMore(panel)(hand);
    await hand.page.waitForSelector('dialog tbody td');
  },
});

/** What opens on top of the statistics. */
const overAnalytics: readonly MatrixOverlay[] = [
  { name: 'website menu', open: ({ page }) => page.click('.site-button') },
  { name: 'period menu', open: ({ page }) => openMenu(page) },
  {
    name: 'custom range, refused',
    open: async ({ page }) => {
      await page.keyboard.press('c');
      await page.fill('dialog [type=date]', '2099-01-01');
      await page.click('dialog [type=submit]');
      await page.waitForSelector('.field-error');
    },
  },
  { name: 'compare menu', open: ({ page }) => page.locator('.header-tools [aria-haspopup]').last().click() },
  { name: 'interval menu', open: ({ page }) => page.locator('.about-rest [aria-haspopup]').last().click() },
  { name: 'segment menu', open: ({ page }) => page.click('.segment-button') },
  {
    name: 'segments',
    open: async ({ page }) => {
      await page.click('.segment-button');
      await page.getByRole('menuitem').last().click();
      await page.locator('.segment-row .button').first().click();
      await page.waitForSelector('.segment-rename');
    },
  },
  { name: 'second metric menu', open: ({ page }) => page.click('.chart-legend-second') },
  {
    name: 'filter builder',
    open: async ({ page }) => {
      await page.keyboard.press('/');
      await page.waitForSelector('.values [role=option]');
    },
  },
  { name: 'keyboard help', open: ({ page }) => page.keyboard.press('?') },
  {
    name: 'note of a day',
    open: async ({ page }) => {
      await page.locator('.chart-flag').first().click();
      await page.waitForSelector('.notes');
    },
  },
  {
    name: 'add note',
    open: async ({ page }) => {
      await page.locator('.chart-corner button').last().click();
      await page.waitForSelector('dialog');
    },
  },
  details('details of sources', 1),
  details('details of pages', 2),
  details('details of countries', 3),
  details('details of browsers', 4),
  details('details of events', 6),
  { name: 'all bots', open: panelMore(7) },
  {
    name: 'one bot',
    open: async ({ page }) => {
      await page.locator('.panels > .panel:nth-child(7) .bar-row button').first().click();
      await page.waitForSelector('dialog .bar-row');
    },
  },
  {
    name: 'add goal, refused',
    open: async ({ page }) => {
      await page.locator('.panels > .panel:nth-child(5) .panel-aside button').click();
      await page.click('dialog [type=submit]');
      await page.waitForSelector('.field-error');
    },
  },
  {
    name: 'manage goals',
    open: async (hand) => {
      await panelMore(5)(hand);
      await hand.page.locator('.goal-row .button').first().click();
    },
  },
  {
    name: 'new funnel, refused',
    open: async ({ page }) => {
      await page.locator('.panels > .panel:nth-child(8) .panel-aside button').last().click();
      await page.click('dialog [type=submit]');
      await page.waitForSelector('.field-error');
    },
  },
  { name: 'edit funnel', open: panelMore(8, 0) },
  { name: 'reorder funnels', open: panelMore(8, 1) },
  { name: 'delete funnel', open: panelMore(8, 2) },
];

async function withoutBots(route: Route): Promise<void> {
  const { questions } = route.request().postDataJSON() as { questions: { kind: string }[] };
  const answer = await route.fetch();
  const lines = (await answer.text()).trimEnd().split('\n');
  const changed = lines.map((line) => {
    const { index } = JSON.parse(line) as { index: number };
    const isKept = questions[index]!.kind === 'query';
    return isKept ? line : JSON.stringify({ index, code: 500, message: 'Something went wrong' });
  });
  await route.fulfill({ response: answer, body: `${changed.join('\n')}\n` });
}

const tabs = (name: string, search: string): MatrixState => ({
  name,
  path: `${site}?${search}`,
  data: admin,
  part: '.panels',
});

/** Statistics, live and the public page. */
export const analyticsStates: readonly MatrixState[] = [
  { name: 'analytics', path: site, data: admin, act: rows },
  { name: 'analytics, over it', path: site, data: admin, act: rows, part: 'screen', overlays: overAnalytics },
  {
    name: 'analytics, scrolled',
    path: `${site}?f=country:is:DE&f=page:contains:/products`,
    data: admin,
    part: 'screen',
    act: async (hand) => {
      await rows(hand);
      await hand.page.evaluate(() => scrollTo(0, 900));
    },
  },
  {
    name: 'chart tip',
    path: site,
    data: admin,
    part: 'screen',
    act: rows,
    overlays: [
      {
        name: 'chart tip shown',
        open: async ({ page }) => {
          await page.locator('.chart input').first().focus();
          await page.keyboard.press('ArrowLeft');
        },
        close: async () => {},
      },
    ],
  },
  {
    name: 'analytics, long names',
    path: `${site}?segment=3&f=page:contains:/products/`,
    data: withLongNames,
    act: rows,
    overlays: [
      { name: 'segment menu, long names', open: ({ page }) => page.click('.segment-button') },
      { name: 'funnel menu, long names', open: ({ page }) => page.click('.funnel-button') },
    ],
  },
  tabs(
    'panels, second tabs',
    'sources=channel&pages=entryPage&locations=country&devices=os&bots=ai&events=conversions&funnel=2',
  ),
  tabs('panels, third tabs', 'sources=referrer&pages=exitPage&locations=region&devices=device'),
  tabs('panels, fourth tabs', 'sources=utm&locations=city&devices=screenSize'),
  tabs('panels, fifth tabs', 'sources=utm&utm=utmCampaign&locations=language'),
  {
    name: 'analytics, filtered',
    path: `${site}?period=7d&compare=none&f=country:is:DE&f=page:is:/&f=browser:anyOf:Firefox%7CSafari`,
    data: admin,
    act: rows,
    overlays: [
      {
        name: 'edit filter of several values',
        open: async ({ page }) => {
          await page.locator('.chip-text').last().click();
          await page.waitForSelector('.values [role=option]');
        },
      },
      {
        name: 'save segment',
        open: async ({ page, press }) => {
          await page.click('.segment-button');
          await press('Save as segment…');
          await page.click('dialog [type=submit]');
          await page.waitForSelector('.field-error');
        },
      },
    ],
  },
  {
    name: 'page, events on it',
    path: `${site}?f=page:is:/pricing&page=events`,
    data: admin,
    part: '.panels',
  },
  { name: 'analytics, filtered by event', path: `${site}?f=event:is:purchase`, data: admin, act: rows },
  {
    name: 'analytics, nothing matches',
    path: `${site}?f=page:is:/nowhere&f=country:is:AQ`,
    data: admin,
    act: ({ page }) => page.waitForSelector('.empty'),
  },
  { name: 'analytics, segment', path: `${site}?segment=1`, data: admin, act: rows, part: 'screen' },
  {
    name: 'analytics, a goal',
    path: `${site}?goal=event:purchase&metric=conversions`,
    data: admin,
    act: rows,
  },
  {
    name: 'compared with last year, two metrics',
    path: `${site}?period=12m&compare=previousYear&second=bounceRate`,
    data: admin,
    act: rows,
    part: 'screen',
  },
  {
    name: 'compared with a custom range',
    path: `${site}?period=2026-10-01..2026-10-14&compare=2026-09-01..2026-09-14`,
    data: admin,
    act: rows,
    part: 'screen',
  },
  { name: 'today', path: `${site}?period=today`, data: admin, act: rows, part: 'screen' },
  { name: 'last 24 hours', path: `${site}?period=24h&compare=none`, data: admin, act: rows, part: 'screen' },
  { name: 'all time', path: `${site}?period=all`, data: admin, act: rows, part: 'screen' },
  {
    name: 'one year of days',
    path: `${site}?period=12m&interval=day`,
    data: admin,
    act: rows,
    part: 'screen',
  },
  {
    name: 'drill down to regions',
    path: `${site}?f=country:is:DE&f=browser:is:Chrome&f=source:is:Google`,
    data: admin,
    part: '.panels',
  },
  {
    name: 'drill down to cities',
    path: `${site}?f=country:is:DE&f=region:is:Bavaria&f=channel:is:search&f=os:is:Windows&devices=os&sources=channel`,
    data: admin,
    part: '.panels',
  },
  { name: 'analytics, nothing kept', path: site, data: withoutKept, act: rows, part: '.panels' },
  {
    name: 'analytics, nothing kept, for a viewer',
    path: site,
    data: () => ({ ...withoutKept(), session: viewer().session }),
    act: rows,
    part: '.panels',
  },
  {
    name: 'days without visitors',
    path: `${site}?period=2020-01-01..2020-01-07`,
    data: admin,
    act: ({ page }) => page.waitForSelector('.panel'),
  },
  {
    name: 'retention without ClientIds',
    path: '/websites/2',
    data: admin,
    act: rows,
    part: '.panels > .panel:last-child',
  },
  {
    name: 'analytics, loading',
    path: site,
    data: admin,
    prepare: (page) => page.route('**/api/stats/batch', () => {}),
    act: ({ page }) => page.waitForTimeout(2_200),
    isUnfinished: true,
  },
  {
    name: 'analytics, engine away',
    path: site,
    data: engineAway,
    act: ({ page }) => page.waitForSelector('.delay .banner'),
    isUnfinished: true,
  },
  {
    name: 'analytics, failed',
    path: site,
    data: admin,
    prepare: (page) =>
      page.route('**/api/stats/batch', (route) => route.fulfill({ status: 500, body: '{}' })),
    isUnfinished: true,
    act: ({ page }) => page.waitForSelector('.overview-fault'),
  },
  {
    name: 'analytics, reports failed',
    path: site,
    data: admin,
    prepare: (page) => page.route('**/api/stats/batch', withoutBots),
    act: rows,
    part: '.panels',
  },
  { name: 'quota nearly used', path: site, data: () => withQuota(214_000, 0), act: rows, part: 'screen' },
  { name: 'quota used up', path: site, data: () => withQuota(250_000, 1_204), act: rows, part: 'screen' },
  {
    name: 'demo data',
    path: site,
    data: () => withDemo({ state: 'loaded', done: 1, records: 412_808 }),
    act: ({ page }) => page.waitForSelector('.quota .banner'),
    part: 'screen',
  },
  {
    name: 'demo data being removed',
    path: site,
    data: () => withDemo({ state: 'removing', done: 0.4, records: 412_808 }),
    act: ({ page }) => page.waitForSelector('.quota .banner'),
    part: 'screen',
    isUnfinished: true,
  },
  {
    name: 'connection lost, statistics',
    path: site,
    data: admin,
    isUnfinished: true,
    part: 'screen',
    act: async (hand) => {
      await rows(hand);
      await hand.page.route('**/api/**', (route) => route.abort());
      await hand.page.waitForFunction(() => {
        window.dispatchEvent(new Event('focus'));
        return document.querySelector('.connection p');
      });
    },
  },
  {
    name: 'no data, for a viewer',
    path: site,
    data: () => withoutVisitors(viewer()),
    act: ({ page }) => page.waitForSelector('.empty'),
  },
  {
    name: 'live',
    path: `${site}/live`,
    data: admin,
    act: ({ page }) => page.waitForSelector('.live-latest .live-record'),
  },
  {
    name: 'live, nobody',
    path: `${site}/live`,
    data: () => withoutVisitors(admin()),
    act: ({ page }) => page.waitForSelector('.empty'),
  },
  {
    name: 'live, engine away',
    path: `${site}/live`,
    data: engineAway,
    act: ({ page }) => page.waitForSelector('.delay .banner'),
    isUnfinished: true,
  },
  { name: 'public page', path: shared, data: admin, act: rows },
  {
    name: 'public page, filtered',
    path: `${shared}?f=country:is:DE&period=7d`,
    data: admin,
    act: rows,
    part: 'screen',
  },
  { name: 'embedded', path: `${shared}/embed`, data: admin, act: rows, part: 'screen' },
];
