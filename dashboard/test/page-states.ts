import type { Page } from 'playwright-core';
import { emptyData, fullData, type StandInData } from './stand-in/stand-in-data.ts';

/** A page as somebody may see it. */
export type PageState = {
  name: string;
  path: string;
  data: () => StandInData;
  /** Before it is opened. */
  prepare?: (page: Page) => Promise<unknown>;
  /** What is done on it. */
  act?: (page: Page, data: StandInData) => Promise<unknown>;
  /** The server refuses something in it, which browsers write to the console. */
  hasRefusals?: boolean;
};

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

/** Until the cards and the lists have theirs. */
const numbers = (page: Page) => page.waitForSelector('.bar-row');

export const pageStates: readonly PageState[] = [
  { name: 'sign in', path: '/sign-in', data: signedOut, hasRefusals: true },
  { name: 'sign in, wrong password', path: '/sign-in', data: signedOut, act: signIn, hasRefusals: true },
  {
    ...{ name: 'sign in, throttled', path: '/sign-in', act: signIn, hasRefusals: true },
    data: () => ({ ...signedOut(), throttleSeconds: 42 }),
  },
  {
    ...{ name: 'setup', path: '/setup#right', hasRefusals: true },
    data: () => ({ ...signedOut(), isSetupNeeded: true }),
    act: (page) => page.fill('[name=password]', 'correct horse'),
  },
  {
    ...{ name: 'setup, link used up', path: '/setup#wrong', hasRefusals: true, act: signIn },
    data: () => ({ ...signedOut(), isSetupNeeded: true }),
  },
  { name: 'setup, done before', path: '/setup', data: signedOut, hasRefusals: true },
  { name: 'websites', path: '/websites', data: admin, act: (page) => page.waitForSelector('.sparkline') },
  { name: 'websites, none yet', path: '/websites', data: emptyData },
  {
    ...{ name: 'websites, engine away', path: '/websites', hasRefusals: true },
    data: () => ({ ...admin(), isEngineAway: true }),
    act: (page) => page.waitForSelector('text=starting up'),
  },
  {
    ...{ name: 'websites, on their way', path: '/websites', data: admin },
    prepare: (page) => page.route('**/api/websites', () => {}),
  },
  {
    ...{ name: 'websites, not to be had', path: '/websites', data: admin, hasRefusals: true },
    prepare: (page) => page.route('**/api/websites', (route) => route.fulfill({ status: 500, body: '{}' })),
    act: (page) => page.waitForSelector('text=Try again'),
  },
  { name: 'websites of a viewer', path: '/websites', data: viewer },
  { name: 'add website', path: '/websites/new', data: admin },
  {
    ...{ name: 'add website, refused', path: '/websites/new', data: admin, hasRefusals: true },
    act: async (page) => {
      await page.fill('[name=domain]', 'taken.example.com');
      await page.click('[type=submit]');
      await page.waitForSelector('.field-error');
      await page.click('[name=timezone]');
    },
  },
  {
    ...{ name: 'how to send records', path: '/websites/1/integrate', data: admin },
    act: (page) => page.waitForSelector('.facts'),
  },
  {
    ...{ name: 'website, waiting for the first record', path: '/websites/5' },
    data: () => ({ ...admin(), requests: [] }),
    act: async (page) => {
      await page.click('text=Insert the API key');
      await page.waitForSelector('text=Take it out');
    },
  },
  { name: 'analytics', path: '/websites/1', data: admin, act: numbers },
  {
    ...{
      name: 'analytics, filtered',
      path: '/websites/1?period=7d&f=country:is:DE&f=page:is:/',
      data: admin,
    },
    act: numbers,
  },
  {
    ...{ name: 'analytics, on their way', path: '/websites/1', data: admin },
    prepare: (page) => page.route('**/api/stats/batch', () => {}),
    act: (page) => page.waitForSelector('.skeleton'),
  },
  {
    ...{ name: 'analytics, engine away', path: '/websites/1' },
    data: () => ({ ...admin(), isEngineAway: true }),
    act: (page) => page.waitForSelector('text=The numbers engine is restarting'),
  },
  {
    ...{ name: 'analytics, ranges', path: '/websites/1', data: admin },
    act: async (page) => {
      await numbers(page);
      await page.click('.range [aria-haspopup]');
    },
  },
  {
    ...{ name: 'analytics, filter builder', path: '/websites/1', data: admin },
    act: async (page) => {
      await numbers(page);
      await page.keyboard.press('/');
      await page.waitForSelector('.values [role=option]');
    },
  },
  {
    ...{ name: 'analytics, filter of several values', path: '/websites/1?f=browser:anyOf:Firefox%7CSafari' },
    data: admin,
    act: async (page) => {
      await page.click('.chip-text');
      await page.waitForSelector('.values [role=option]');
    },
  },
  {
    ...{ name: 'analytics, custom range refused', path: '/websites/1', data: admin },
    act: async (page) => {
      await page.click('.range [aria-haspopup]');
      await page.click('text=Custom range…');
      await page.fill('dialog [type=date]', '2099-01-01');
      await page.click('dialog [type=submit]');
      await page.waitForSelector('.field-error');
    },
  },
  {
    ...{ name: 'analytics, keyboard', path: '/websites/1', data: admin },
    act: async (page) => {
      await numbers(page);
      await page.keyboard.press('?');
      await page.waitForSelector('dialog');
    },
  },
  { name: 'analytics of a viewer', path: '/websites/1', data: viewer, act: numbers },
  {
    ...{ name: 'website without records, to a viewer', path: '/websites/1' },
    data: () => {
      const data = viewer();
      data.websites[0]!.usage.used = 0;
      data.activity.set(1, { visitors: 0, byHour: [] });
      return data;
    },
    act: (page) => page.waitForSelector('text=No records yet'),
  },
  { name: 'website that is not there', path: '/websites/99', data: viewer },
  { name: 'edit website', path: settings, data: admin, act: (page) => page.waitForSelector('.requests') },
  {
    ...{ name: 'edit website, opened up', path: settings, data: admin },
    act: async (page) => {
      await page.click('text=Reveal');
      await page.click('summary');
      await page.fill('[name=contingent]', '1,000');
    },
  },
  {
    ...{ name: 'edit website, on its way', path: settings, data: admin },
    prepare: (page) => page.route('**/api/websites/1', () => {}),
  },
  {
    ...{ name: 'edit website, fresh', path: '/websites/5/settings' },
    data: () => ({ ...admin(), requests: [], tokens: [] }),
  },
  {
    ...{ name: 'edit website, regenerate', path: settings, data: admin },
    act: (page) => page.click('text=Regenerate…'),
  },
  {
    ...{ name: 'edit website, changed by two', path: settings, data: admin, hasRefusals: true },
    act: async (page, data) => {
      await page.fill('[name=name]', 'My shop');
      Object.assign(data.websites[0]!, { version: 2, name: 'Their shop' });
      await page.click('text=Save changes');
      await page.waitForSelector('.clashes');
    },
  },
  {
    ...{ name: 'edit website, delete', path: settings, data: admin },
    act: (page) => page.click('text=Delete website…'),
  },
  {
    ...{ name: 'edit website, being deleted', path: settings, data: admin },
    act: async (page) => {
      await page.click('text=Delete website…');
      await page.fill('[name=confirm]', 'shop.example.com');
      await page.click('dialog [type=submit]');
      await page.waitForSelector('text=records deleted');
    },
  },
  {
    ...{ name: 'edit website, new token', path: settings, data: admin },
    act: async (page) => {
      await page.fill('.token-new [name=name]', 'Office');
      await page.click('text=Make token');
      await page.waitForSelector('dialog');
    },
  },
  { name: 'account', path: '/account', data: admin },
  { name: 'users', path: '/users', data: admin },
  { name: 'users, add', path: '/users', data: admin, act: (page) => page.click('text=Add user') },
  { name: 'audit log', path: '/audit', data: admin, act: (page) => page.waitForSelector('.audit-entry') },
  { name: 'audit log, empty', path: '/audit', data: emptyData },
  { name: 'menu of the user', path: '/websites', data: admin, act: (page) => page.click('.user-button') },
  {
    name: 'menu of the websites',
    path: '/websites/1',
    data: admin,
    act: (page) => page.click('.site-button'),
  },
  {
    ...{ name: 'session ended', path: settings, data: admin, hasRefusals: true },
    act: async (page, data) => {
      await page.fill('[name=name]', 'My shop');
      data.session = undefined;
      await page.click('text=Save changes');
      await page.waitForSelector('dialog');
    },
  },
  {
    ...{ name: 'connection lost', path: '/websites', data: admin, hasRefusals: true },
    act: async (page) => {
      await page.waitForSelector('.sparkline');
      await page.route('**/api/**', (route) => route.abort());
      // Coming back to the page asks anew, though not twice within half a second.
      await page.waitForFunction(() => {
        window.dispatchEvent(new Event('focus'));
        return document.querySelector('.connection p');
      });
    },
  },
  { name: 'not found', path: '/nowhere', data: admin },
  { name: 'settings, to a viewer', path: settings, data: viewer },
];
