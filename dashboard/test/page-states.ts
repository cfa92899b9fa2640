import type { Page } from 'playwright-core';
import { numberStates } from './number-states.ts';
import type { NextState, PageState } from './page-state.ts';
import { emptyData, fullData, type StandInData } from './stand-in/stand-in-data.ts';

const admin = () => fullData('admin');
const viewer = () => fullData('viewer');
const signedOut = (): StandInData => ({ ...admin(), session: undefined });
const settings = '/websites/1/settings';

async function signIn(page: Page): Promise<void> {
  await page.fill('[name=email]', 'owner@example.com');
  await page.fill('[name=password]', 'wrong');
  await page.click('[type=submit]');
  await page.waitForSelector('.banner');
}

async function loseConnection(page: Page): Promise<void> {
  await page.route('**/api/**', (route) => route.abort());
  // Returning to the page makes it ask again, but not twice within half a second.
  await page.waitForFunction(() => {
    window.dispatchEvent(new Event('focus'));
    return document.querySelector('.connection p');
  });
}

const settingsInUse: readonly NextState[] = [
  {
    name: 'edit website, new token',
    act: async (page) => {
      await page.fill('.token-new [name=name]', 'Office');
      await page.click('text=Create token');
      await page.waitForSelector('dialog');
    },
    leave: async (page) => {
      await page.click('dialog >> text=Done');
      await page.waitForSelector('dialog', { state: 'detached' });
    },
  },
  {
    name: 'edit website, opened up',
    act: async (page) => {
      await page.click('text=Reveal');
      await page.click('summary');
      await page.fill('[name=contingent]', '1,000');
    },
  },
  {
    name: 'edit website, changed by two',
    hasRefusals: true,
    act: async (page, data) => {
      await page.getByLabel('Name', { exact: true }).fill('My shop');
      Object.assign(data.websites[0]!, { version: 2, name: 'Their shop' });
      await page.click('text=Save changes');
      await page.waitForSelector('.clashes');
    },
  },
  {
    name: 'edit website, being deleted',
    act: async (page) => {
      await page.click('text=Delete website…');
      await page.fill('[name=confirm]', 'shop.example.com');
      await page.click('dialog [type=submit]');
      await page.waitForSelector('text=records deleted');
    },
  },
];

export const pageStates: readonly PageState[] = [
  {
    name: 'API reference',
    path: '/reference',
    data: signedOut,
    isStatic: true,
    async act(page) {
      // With the keyboard alone: opens the first group of the contents, and follows the first link in it.
      await page.focus('nav summary');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.waitForSelector('section:target');
    },
  },
  {
    name: 'sign in',
    path: '/sign-in',
    data: signedOut,
    hasRefusals: true,
    next: [
      { name: 'sign in, wrong password', act: signIn, hasRefusals: true },
      {
        name: 'sign in, throttled',
        hasRefusals: true,
        act: async (page, data) => {
          data.throttleSeconds = 42;
          await signIn(page);
          await page.waitForSelector('.banner b');
        },
      },
    ],
  },
  {
    name: 'setup',
    path: '/setup#right',
    hasRefusals: true,
    data: () => ({ ...signedOut(), isSetupNeeded: true }),
    act: (page) => page.fill('[name=password]', 'correct horse'),
    next: [
      {
        name: 'setup, link used up',
        hasRefusals: true,
        act: async (page) => {
          await page.evaluate(() => {
            location.hash = 'wrong';
          });
          await signIn(page);
        },
      },
    ],
  },
  { name: 'setup, done before', isLong: true, path: '/setup', data: signedOut, hasRefusals: true },
  {
    name: 'websites',
    path: '/websites',
    data: admin,
    act: (page) => page.waitForSelector('.sparkline'),
    overlays: [{ name: 'menu of the user', open: (page) => page.click('.user-button') }],
    next: [{ name: 'connection lost', act: loseConnection, hasRefusals: true }],
  },
  { name: 'websites, none yet', path: '/websites', data: emptyData },
  {
    name: 'websites, engine away',
    path: '/websites',
    hasRefusals: true,
    data: () => ({ ...admin(), isEngineAway: true }),
    act: (page) => page.waitForSelector('text=starting up'),
  },
  {
    name: 'websites, on their way',
    path: '/websites',
    data: admin,
    prepare: (page) => page.route('**/api/websites', () => {}),
  },
  {
    name: 'websites, not to be had',
    isLong: true,
    path: '/websites',
    data: admin,
    hasRefusals: true,
    prepare: (page) => page.route('**/api/websites', (route) => route.fulfill({ status: 500, body: '{}' })),
    act: (page) => page.waitForSelector('text=Try again'),
  },
  { name: 'websites of a viewer', path: '/websites', data: viewer, isLong: true },
  {
    name: 'add website',
    path: '/websites/new',
    data: admin,
    next: [
      {
        name: 'add website, refused',
        hasRefusals: true,
        act: async (page) => {
          await page.fill('[name=domain]', 'taken.example.com');
          await page.click('[type=submit]');
          await page.waitForSelector('.field-error');
          await page.click('[name=timezone]');
        },
      },
    ],
  },
  {
    name: 'how to send records',
    path: '/websites/1/integrate',
    data: admin,
    act: (page) => page.waitForSelector('.facts'),
  },
  {
    name: 'website, waiting for the first record',
    path: '/websites/5',
    data: () => ({ ...admin(), requests: [] }),
    act: async (page) => {
      await page.click('text=Insert API key');
      await page.waitForSelector('text=Hide key');
    },
  },
  ...numberStates,
  { name: 'website that is not there', path: '/websites/99', data: viewer, isLong: true },
  {
    name: 'edit website',
    path: settings,
    data: admin,
    act: (page) => page.waitForSelector('.requests'),
    overlays: [
      { name: 'regenerate', open: (page) => page.click('text=Regenerate…') },
      { name: 'delete', open: (page) => page.click('text=Delete website…') },
    ],
    next: settingsInUse,
  },
  {
    name: 'edit website, on its way',
    isLong: true,
    path: settings,
    data: admin,
    prepare: (page) => page.route('**/api/websites/1', () => {}),
  },
  {
    name: 'edit website, fresh',
    path: '/websites/5/settings',
    data: () => ({ ...admin(), requests: [], tokens: [] }),
    next: [
      {
        name: 'session ended',
        hasRefusals: true,
        act: async (page, data) => {
          await page.getByLabel('Name', { exact: true }).fill('My shop');
          data.session = undefined;
          // The page may notice by itself before that, and cover the button.
          await page.locator('text=Save changes').evaluate((button: HTMLElement) => button.click());
          await page.waitForSelector('dialog');
        },
      },
    ],
  },
  {
    name: 'data quality',
    path: '/websites/1/quality',
    data: () => ({ ...admin(), ledger: 'troubled' }),
    act: (page) => page.waitForSelector('.hours'),
    next: [
      {
        name: 'data quality, 400 days',
        act: async (page) => {
          await page.click('text=400 days');
          await page.waitForFunction(() => document.querySelectorAll('.day-cell').length === 400);
          await page.waitForSelector('.hours');
        },
      },
    ],
  },
  {
    name: 'data quality, all counted',
    isLong: true,
    path: '/websites/1/quality?days=7',
    data: admin,
    act: (page) => page.waitForSelector('.hours'),
  },
  {
    name: 'data quality, nothing sent yet',
    isLong: true,
    path: '/websites/1/quality',
    data: () => ({ ...admin(), ledger: 'empty' }),
  },
  {
    name: 'data quality, on its way',
    path: '/websites/1/quality',
    data: admin,
    prepare: (page) => page.route('**/ledger?*', () => {}),
  },
  {
    name: 'data quality, not to be had',
    isLong: true,
    path: '/websites/1/quality',
    data: admin,
    hasRefusals: true,
    prepare: (page) => page.route('**/ledger?*', (route) => route.fulfill({ status: 500, body: '{}' })),
    act: (page) => page.waitForSelector('text=Try again'),
  },
  { name: 'account', path: '/account', data: admin },
  {
    name: 'users',
    path: '/users',
    data: admin,
    overlays: [{ name: 'add user', open: (page) => page.click('text=Add user') }],
  },
  { name: 'audit log', path: '/audit', data: admin, act: (page) => page.waitForSelector('.audit-entry') },
  { name: 'audit log, empty', isLong: true, path: '/audit', data: emptyData },
  { name: 'not found', path: '/nowhere', data: admin },
  { name: 'settings, to a viewer', path: settings, data: viewer, isLong: true },
];
