import assert from 'node:assert/strict';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { type AppClient, createAppClient } from '../../../server/test/support/app-client.ts';
import { post } from '../../../server/test/support/records.ts';
import type { TracksideHere } from '../../../server/test/support/start-trackside.ts';
import { waitFor } from '../../../server/test/support/wait-for.ts';
import { checkPageAnswers } from '../check-page-answers.ts';
import { type Server, admin as user } from '../open-server.ts';
import { totalsOf } from './count-people.ts';
import { chooseDays, type Days } from './days.ts';
import {
  bots,
  ofToday,
  ofYesterday,
  type Person,
  people,
  recordsOf,
  recordsOfBots,
  type Sent,
} from './traffic.ts';

export type Site = { id: number; apiKey: string; path: string };

/** A real server with real records, a browser, and an admin who is signed in. */
export type Stage = {
  trackside: TracksideHere;
  browser: Browser;
  admin: AppClient;
  days: Days;
  /** The website whose visitors are known. */
  shop: Site;
  /** A website with a single visitor, to which a test may send more. */
  blog: Site;
  /** The errors that pages have reported. */
  faults: string[];
  send: (site: Site, sent: Sent) => Promise<void>;
  /** Opens another window, without a session unless one is requested. */
  openPage: (options?: BrowserContextOptions & { isSignedIn?: boolean }) => Promise<Page>;
  addSite: (domain: string, timezone: string) => Promise<Site>;
};

/**
 * Refusals are expected answers, but Chromium reports them as errors: of the network, and of a forbidden
 * frame.
 */
const isRefusal = /status of 4\d\d|frame-ancestors/;
export const guest = ofYesterday[0]!;

export async function openStage({ trackside, browser }: Server): Promise<Stage> {
  const admin = createAppClient(trackside.origin);
  assert.equal((await admin.ask('POST', '/api/session', { body: user })).status, 200);

  const send = async ({ apiKey }: Site, { path, body }: Sent) => {
    const { status, body: answer } = await post(trackside.origin(), path, apiKey, body);
    assert.equal(status, 200, answer.Message);
  };
  const sendAll = async (site: Site, of: readonly Person[]) => {
    await Promise.all(
      of.map(async (person) => {
        for (const sent of recordsOf(person)) await send(site, sent);
      }),
    );
  };
  async function addSite(domain: string, timezone: string): Promise<Site> {
    const added = await admin.ask('POST', '/api/websites', { body: { domain, timezone, contingent: null } });
    assert.equal(added.status, 201, added.text);
    const path = `/api/websites/${added.body.id}`;
    const { body: key } = await admin.ask('GET', `${path}/key`);
    // An empty body is refused, so asking counts nothing.
    const isKnown = async () =>
      (await post(trackside.origin(), '/api/page-view', key.apiKey, {})).status !== 401;
    await waitFor('the key to work', isKnown);
    return { id: added.body.id, apiKey: key.apiKey, path };
  }

  const days = chooseDays(Date.now());
  const shop = await addSite('shop.test', days.yesterdayZone);
  await sendAll(shop, ofYesterday);
  const { body: settings } = await admin.ask('GET', shop.path);
  const { status } = await admin.ask('PATCH', shop.path, {
    body: { version: settings.version, timezone: days.todayZone },
  });
  assert.equal(status, 200);
  // By then, the tracking endpoints know all of this, and that the shop has moved.
  const blog = await addSite('blog.test', days.todayZone);
  await Promise.all([sendAll(shop, ofToday), sendAll(blog, [guest])]);
  for (const sent of recordsOfBots()) await send(shop, sent);
  await untilCounted(admin, shop);

  const faults: string[] = [];
  async function openPage({ isSignedIn = false, ...options }: Parameters<Stage['openPage']>[0] = {}) {
    const opened = await browser.newContext({
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    if (isSignedIn) {
      const [name = '', value = ''] = admin.cookie()!.split(/=(.*)/s);
      await opened.addCookies([{ name, value, url: trackside.origin() }]);
    }
    const page = await opened.newPage();
    await page.addInitScript(leavePanelsBelow);
    page.setDefaultTimeout(300_000);
    page.on('pageerror', (error) => faults.push(String(error.stack)));
    checkPageAnswers(page, (fault) => faults.push(fault));
    page.on('console', (message) => {
      if (message.type() === 'error' && !isRefusal.test(message.text())) faults.push(message.text());
    });
    return page;
  }
  return { trackside, browser, admin, days, shop, blog, faults, send, openPage, addSite };
}

/**
 * Usually the panels far below ask a while after the first answers, and from then on in every view. Here they
 * ask when somebody scrolls to them; `behaviour/below-the-fold.ts` tests that they load on their own.
 */
function leavePanelsBelow(): void {
  const quietMs = 2_500;
  const { setTimeout } = window;
  const later = (run: () => void, ms?: number) => (ms === quietMs ? 0 : setTimeout(run, ms));
  window.setTimeout = later as typeof setTimeout;
}

async function untilCounted(admin: AppClient, { id }: Site): Promise<void> {
  const headers = { 'Trackside-Website': String(id) };
  const ask = async (kind: string, body: object) =>
    (await admin.ask('POST', `/api/stats/${kind}`, { headers, body })).body;
  const { pageViews, events } = totalsOf(people);
  await waitFor('all records to be counted', async () => {
    const answer = await ask('query', { period: 'all', metrics: ['pageViews', 'events'] });
    const metrics = answer.rows?.[0]?.metrics;
    return metrics?.pageViews === pageViews && metrics.events === events;
  });
  await waitFor('all bots to be counted', async () => {
    const { rows = [] } = await ask('bots', { period: 'all', dimensions: ['bot'] });
    return rows.reduce((sum: number, row: { records: number }) => sum + row.records, 0) === bots.length;
  });
}
