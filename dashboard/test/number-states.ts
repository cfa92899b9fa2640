import type { Page, Route } from 'playwright-core';
import type { Overlay, PageState } from './page-state.ts';
import { fullData, type StandInData } from './stand-in/stand-in-data.ts';

const admin = () => fullData('admin');
const viewer = () => fullData('viewer');
const engineAway = (): StandInData => ({ ...admin(), isEngineAway: true });
const shared = '/share/q7hV2mXc0TzLd9RkA4sEwg';

/** Waits until the cards and the lists have loaded. */
const numbers = (page: Page) => page.waitForSelector('.bar-row');

/** Also waits for the panels that load when somebody gets near them. */
async function allNumbers(page: Page): Promise<void> {
  await numbers(page);
  await page.locator('.panel').last().scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector('.skeleton, [aria-busy=true]') === null);
  await page.evaluate(() => scrollTo(0, 0));
}

const nobodyYet = (data: StandInData): StandInData => {
  data.websites[0]!.usage.used = 0;
  data.activity.set(1, { visitors: 0, visitorsBefore: 0, byHour: [] });
  return data;
};

/** The question about bots is the only one without an answer. */
async function withoutBots(route: Route): Promise<void> {
  const { questions } = route.request().postDataJSON() as { questions: { kind: string }[] };
  const answer = await route.fetch();
  const lines = (await answer.text()).trimEnd().split('\n');
  const changed = lines.map((line) => {
    const { index } = JSON.parse(line) as { index: number };
    const isBots = questions[index]!.kind === 'bots';
    return isBots ? JSON.stringify({ index, code: 500, message: 'Something went wrong' }) : line;
  });
  await route.fulfill({ response: answer, body: `${changed.join('\n')}\n` });
}

const overAnalytics: readonly Overlay[] = [
  {
    name: 'segments',
    isLong: true,
    open: async (page) => {
      await page.click('.segment-button');
      await page.getByRole('menuitem').last().click();
      await page.locator('.segment-row .button').first().click();
      await page.waitForSelector('.segment-rename');
    },
  },
  {
    name: 'new goal refused',
    isLong: true,
    open: async (page) => {
      await page.getByRole('region', { name: 'Goals' }).getByRole('button', { name: 'Add goal' }).click();
      await page.click('dialog [type=submit]');
      await page.waitForSelector('.field-error');
    },
  },
  { name: 'menu of the websites', isLong: true, open: (page) => page.click('.site-button') },
  { name: 'ranges', open: (page) => page.click('.range [aria-haspopup]') },
  {
    name: 'custom range refused',
    isLong: true,
    open: async (page) => {
      await page.click('.range [aria-haspopup]');
      await page.click('text=Custom range…');
      await page.fill('dialog [type=date]', '2099-01-01');
      await page.click('dialog [type=submit]');
      await page.waitForSelector('.field-error');
    },
  },
  {
    name: 'filter builder',
    open: async (page) => {
      await page.keyboard.press('/');
      await page.waitForSelector('.values [role=option]');
    },
  },
  { name: 'keyboard', open: (page) => page.keyboard.press('?') },
  {
    name: 'details',
    open: async (page) => {
      await page.click('text=All pages');
      await page.waitForSelector('dialog tbody td');
    },
  },
  { name: 'new note', isLong: true, open: (page) => page.click('.chart-corner >> text=Add note') },
  {
    name: 'notes of a day',
    open: (page) => page.locator('.chart-flag').first().click(),
  },
  {
    name: 'funnels reordered',
    open: async (page) => {
      await page.click('text=Reorder…');
      await page.click(
        'dialog .order-row:first-child [aria-disabled=false], dialog .order-row:first-child button:not([aria-disabled=true])',
      );
    },
  },
  {
    name: 'new funnel, refused',
    open: async (page) => {
      await page.click('.panel-aside [title="New funnel"]');
      await page.click('dialog [type=submit]');
      await page.waitForSelector('.field-error');
    },
  },
];

/** The pages with numbers: analytics, live view and public page. */
export const numberStates: readonly PageState[] = [
  { name: 'analytics', path: '/websites/1', data: admin, act: allNumbers, overlays: overAnalytics },
  {
    name: 'analytics, filtered',
    path: '/websites/1?period=7d&compare=none&f=country:is:DE&f=page:is:/&f=browser:anyOf:Firefox%7CSafari',
    data: admin,
    act: async (page) => {
      await allNumbers(page);
      // Also examined on a phone.
      for (const name of ['Filter', 'Previous period', /^Compare/])
        await page.getByRole('button', { name, exact: true }).waitFor();
    },
    overlays: [
      {
        name: 'filter of several values',
        open: async (page) => {
          await page.locator('.chip-text').last().click();
          await page.waitForSelector('.values [role=option]');
        },
      },
    ],
  },
  {
    name: 'analytics, on their way',
    path: '/websites/1',
    data: admin,
    prepare: (page) => page.route('**/api/stats/batch', () => {}),
    act: (page) => page.waitForSelector('.skeleton'),
  },
  {
    name: 'analytics, engine away',
    path: '/websites/1',
    data: engineAway,
    act: (page) => page.waitForSelector('text=Statistics are restarting'),
  },
  {
    name: 'analytics, one panel not to be had',
    isLong: true,
    path: '/websites/1',
    data: admin,
    prepare: (page) => page.route('**/api/stats/batch', withoutBots),
    act: async (page) => {
      await allNumbers(page);
      await page.waitForSelector('.list-fault');
    },
  },
  {
    name: 'analytics, with lost records',
    isLong: true,
    path: '/websites/1',
    data: () => ({ ...admin(), ledger: 'troubled' }),
    act: async (page) => {
      await allNumbers(page);
      await page.waitForSelector('.lost-hint');
    },
  },
  { name: 'analytics of a viewer', path: '/websites/1', data: viewer, act: numbers, isLong: true },
  {
    name: 'website without records, to a viewer',
    isLong: true,
    path: '/websites/1',
    data: () => nobodyYet(viewer()),
    act: (page) => page.waitForSelector('text=No data yet'),
  },
  {
    name: 'live',
    path: '/websites/1/live',
    data: admin,
    act: (page) => page.waitForSelector('.live-latest .live-record'),
  },
  {
    name: 'live, nobody there',
    isLong: true,
    path: '/websites/1/live',
    data: () => nobodyYet(admin()),
    act: (page) => page.waitForSelector('text=Nobody here right now'),
  },
  {
    name: 'live, engine away',
    path: '/websites/1/live',
    data: engineAway,
    act: (page) => page.waitForSelector('text=resumes on its own'),
  },
  { name: 'public page', path: shared, data: admin, act: allNumbers },
  { name: 'embedded, dark', path: `${shared}/embed?theme=dark`, data: admin, act: allNumbers },
  {
    name: 'public link that does not work',
    path: '/share/mistyped',
    data: admin,
    hasRefusals: true,
    act: (page) => page.waitForSelector('text=This link is invalid'),
  },
];
