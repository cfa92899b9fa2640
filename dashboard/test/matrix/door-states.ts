import type { Page } from 'playwright-core';
import {
  admin,
  engineAway,
  manyWebsites,
  nothing,
  signedOut,
  viewer,
  withDemo,
  withoutVisitors,
} from './matrix-data.ts';
import type { Hand, MatrixState } from './matrix-state.ts';

async function signIn({ page }: Hand): Promise<void> {
  await page.fill('[name=email]', 'owner@example.com');
  await page.fill('[name=password]', 'wrong');
  await page.click('[type=submit]');
  await page.waitForSelector('.banner');
}

const fail = (pattern: string) => (page: Page) =>
  page.route(pattern, (route) => route.fulfill({ status: 500, body: '{}' }));
const hold = (pattern: string) => (page: Page) => page.route(pattern, () => {});

async function loseConnection({ page }: Hand): Promise<void> {
  await page.route('**/api/**', (route) => route.abort());
  await page.waitForFunction(() => {
    window.dispatchEvent(new Event('focus'));
    return document.querySelector('.connection p');
  });
}

const snippet = (index: number) => (hand: Hand) =>
  hand.page.locator('.integrate-languages [role=tab]').nth(index).click();

/** The pages around the statistics, apart from the settings of a website. */
export const doorStates: readonly MatrixState[] = [
  { name: 'reference', path: '/reference', data: signedOut, part: 'screen', isStatic: true },
  {
    name: 'sign in',
    path: '/sign-in',
    data: signedOut,
    next: [
      {
        name: 'sign in, empty',
        act: async ({ page }) => {
          await page.click('[type=submit]');
          await page.waitForSelector('.field-error');
        },
      },
      { name: 'sign in, wrong password', act: signIn },
      {
        name: 'sign in, throttled',
        act: async (hand) => {
          hand.data.throttleSeconds = 3_000;
          await signIn(hand);
          await hand.page.waitForSelector('.banner b');
        },
      },
    ],
  },
  {
    name: 'setup',
    path: '/setup#right',
    data: () => ({ ...signedOut(), isSetupNeeded: true }),
    act: ({ page }) => page.fill('[name=password]', 'correct horse'),
    next: [
      {
        name: 'setup, link used',
        act: async (hand) => {
          await hand.page.evaluate(() => {
            location.hash = 'wrong';
          });
          await signIn(hand);
        },
      },
    ],
  },
  { name: 'setup, link cut', path: '/setup', data: () => ({ ...signedOut(), isSetupNeeded: true }) },
  { name: 'setup, done before', path: '/setup', data: signedOut },
  { name: 'server not ready', path: '/websites', data: admin, prepare: fail('**/api/session') },
  {
    name: 'websites',
    path: '/websites',
    data: admin,
    act: ({ page }) => page.waitForSelector('.sparkline'),
    overlays: [
      { name: 'user menu', open: ({ page }) => page.click('.user-button') },
      {
        name: 'theme menu',
        // On a phone, it is part of the other menu.
        open: ({ page }) => page.locator('.theme-button:visible, .user-button').last().click(),
      },
    ],
    next: [{ name: 'connection lost', act: loseConnection, part: 'screen' }],
  },
  { name: 'websites, none', path: '/websites', data: nothing },
  {
    name: 'websites, none for a viewer',
    path: '/websites',
    data: () => ({ ...viewer(), websites: [] }),
  },
  { name: 'websites, one', path: '/websites', data: () => manyWebsites(1) },
  { name: 'websites, nine', path: '/websites', data: () => manyWebsites(9) },
  {
    name: 'websites, 20',
    path: '/websites',
    data: () => manyWebsites(20),
    next: [
      {
        name: 'websites, nothing found',
        act: ({ page }) => page.fill('[type=search]', 'nowhere'),
      },
    ],
  },
  { name: 'websites, 1000', path: '/websites', data: () => manyWebsites(1_000), part: 'screen' },
  { name: 'websites, engine away', path: '/websites', data: engineAway },
  {
    name: 'websites, loading',
    path: '/websites',
    data: admin,
    prepare: hold('**/api/websites'),
    isUnfinished: true,
  },
  { name: 'websites, failed', path: '/websites', data: admin, prepare: fail('**/api/websites') },
  {
    name: 'add website',
    path: '/websites/new',
    data: admin,
    next: [
      {
        name: 'add website, refused',
        act: async ({ page }) => {
          await page.fill('[name=domain]', 'taken.example.com');
          await page.click('[type=submit]');
          await page.waitForSelector('.field-error');
        },
      },
      {
        name: 'add website, time zones',
        part: 'screen',
        act: async ({ page }) => {
          await page.click('[name=timezone]');
          await page.fill('[name=timezone]', 'Europe/');
        },
      },
    ],
  },
  {
    name: 'integrate',
    path: '/websites/1/integrate',
    data: admin,
    act: ({ page }) => page.waitForSelector('.facts'),
    next: [
      {
        name: 'integrate, record checked',
        part: '.stack > .card:last-child',
        act: async ({ page, press }) => {
          await press('Check record');
          await page.locator('.banner').last().waitFor();
        },
      },
      { name: 'integrate, Node', act: snippet(1) },
      { name: 'integrate, Python', act: snippet(2), part: '.step:first-child' },
      { name: 'integrate, PHP', act: snippet(3), part: '.step:first-child' },
      { name: 'integrate, C#', act: snippet(4), part: '.step:first-child' },
      { name: 'integrate, Go', act: snippet(5), part: '.step:first-child' },
      { name: 'integrate, Ruby', act: snippet(6), part: '.step:first-child' },
      { name: 'integrate, Java', act: snippet(7), part: '.step:first-child' },
    ],
  },
  {
    name: 'first run',
    path: '/websites/5',
    data: () => ({ ...admin(), requests: [] }),
    act: async ({ press, say, page }) => {
      await press('Insert API key');
      await page.getByRole('button', { name: say('Hide key') }).waitFor();
    },
    next: [
      {
        name: 'first run, test sent',
        part: '.first-run',
        act: async ({ press, page }) => {
          await press('Send a test page view');
          await page.waitForSelector('.first-way .first-line');
        },
      },
    ],
  },
  {
    name: 'first run, refused',
    path: '/websites/5',
    data: () => ({
      ...admin(),
      requests: admin().requests.filter(({ code }) => code === 400),
      unauthorized: { at: new Date().toISOString(), kind: 'page_view', message: 'Unauthorized' },
    }),
    act: ({ page }) => page.waitForSelector('.first .banner'),
  },
  {
    name: 'first run, demo loading',
    path: '/websites/1',
    data: () => ({ ...withoutVisitors(withDemo({ state: 'loading', done: 0.42, records: 20_000 })) }),
    part: 'screen',
    act: ({ page }) => page.waitForSelector('.first-run'),
    isUnfinished: true,
  },
  {
    name: 'account',
    path: '/account',
    data: admin,
    next: [
      {
        name: 'account, wrong password',
        act: async ({ page }) => {
          await page.fill('[name=currentPassword]', 'a wrong one');
          await page.fill('[name=newPassword]', 'correct horse battery');
          await page.locator('form [type=submit]').last().click();
          await page.waitForSelector('.field-error');
        },
      },
    ],
  },
  {
    name: 'users',
    path: '/users',
    data: admin,
    overlays: [
      { name: 'add user', open: ({ press }) => press('Add user') },
      { name: 'edit user', open: ({ page }) => page.locator('.user-actions button').first().click() },
      { name: 'remove user', open: ({ page }) => page.locator('.user-actions button').nth(1).click() },
    ],
  },
  {
    name: 'users, many websites',
    path: '/users',
    data: () => manyWebsites(1_000),
    part: 'screen',
    overlays: [{ name: 'add user, many websites', open: ({ press }) => press('Add user') }],
  },
  { name: 'users, failed', path: '/users', data: admin, prepare: fail('**/api/users') },
  {
    name: 'audit log',
    path: '/audit',
    data: admin,
    act: ({ page }) => page.waitForSelector('.audit-entry'),
  },
  { name: 'audit log, empty', path: '/audit', data: nothing },
  { name: 'not found', path: '/nowhere', data: admin },
  { name: 'website not found', path: '/websites/99', data: viewer },
  {
    name: 'page failed',
    path: '/audit',
    data: admin,
    prepare: (page) => page.route('**/api/audit', (route) => route.fulfill({ json: { surprise: true } })),
    act: ({ page }) => page.waitForSelector('.empty'),
  },
  { name: 'public link that is invalid', path: '/share/mistyped', data: admin },
];
