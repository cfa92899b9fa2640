/**
 * Pictures of every page into docs/screenshots, from a real server with made-up visitors: desktop and phone, light and
 * dark. `npm run screenshots`
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { createAppClient } from '../../server/test/support/app-client.ts';
import { event, pageView, post } from '../../server/test/support/records.ts';
import { startTrackside, type Trackside } from '../../server/test/support/start-trackside.ts';
import { waitFor } from '../../server/test/support/wait-for.ts';
import { openChromium } from './open-chromium.ts';

const folder = fileURLToPath(new URL('../../docs/screenshots', import.meta.url));
const password = 'a long enough secret';
const user = { email: 'owner@example.com', password };
const screens = { desktop: { width: 1280, height: 860 }, phone: { width: 390, height: 780 } };
const themes = ['light', 'dark'] as const;

type Shot = { name: string; path: string; isSignedOut?: true; act?: (page: Page) => Promise<unknown> };

const cleanUps: (() => Promise<void>)[] = [];
const trackside = await startTrackside(
  { after: (cleanUp: () => Promise<void>) => cleanUps.push(cleanUp) } as never,
  { environment: { TRACKSIDE_ADMIN_EMAIL: user.email, TRACKSIDE_ADMIN_PASSWORD: password } },
);
const browser = await openChromium();
try {
  const { shop, fresh } = await prepare(trackside);
  mkdirSync(folder, { recursive: true });
  for (const [screen, viewport] of Object.entries(screens))
    for (const theme of themes)
      await shoot(browser, { screen, viewport, theme, shots: shotsOf(shop, fresh) });
} finally {
  await browser.close();
  for (const cleanUp of cleanUps) await cleanUp();
}

/** A shop with visitors, a blog, and one website that nothing has come from yet. */
async function prepare({ origin, run }: Trackside): Promise<{ shop: number; fresh: number }> {
  const admin = createAppClient(origin);
  await admin.ask('POST', '/api/session', { body: user });
  await run('demo', '--domain', 'shop.example.com', '--days', '40');
  const { body: list } = await admin.ask('GET', '/api/websites');
  const websites = list.websites as { id: number; domain: string; version: number }[];
  const shop = websites.find(({ domain }) => domain === 'shop.example.com')!.id;
  const add = async (body: object) => (await admin.ask('POST', '/api/websites', { body })).body.id as number;
  const base = { timezone: 'Europe/Berlin', contingent: null };
  const blog = await add({ ...base, domain: 'bücher.example', name: 'Reading room', contingent: 120 });
  const fresh = await add({ ...base, domain: 'docs.example.com', name: 'Documentation' });
  await admin.ask('PATCH', `/api/websites/${shop}`, {
    body: { version: 1, name: 'Oak & Lamp', contingent: 250_000, retentionDays: 730 },
  });
  await admin.ask('PUT', `/api/websites/${shop}/share`, { body: { isOn: true } });
  for (const name of ['Weekly report', 'Screen in the office'])
    await admin.ask('POST', `/api/websites/${shop}/tokens`, { body: { name } });
  await admin.ask('POST', '/api/users', {
    body: { email: 'vera@example.com', password, role: 'viewer', websites: [shop, blog] },
  });
  await sendRecords(admin, origin(), shop, blog);
  return { shop, fresh };
}

async function sendRecords(
  admin: ReturnType<typeof createAppClient>,
  origin: string,
  shop: number,
  blog: number,
): Promise<void> {
  const keyOf = async (id: number) =>
    (await admin.ask('GET', `/api/websites/${id}/key`)).body.apiKey as string;
  const [shopKey, blogKey] = [await keyOf(shop), await keyOf(blog)];
  await waitFor('the keys to work', async () => {
    const { status } = await post(origin, '/api/page-view', blogKey, pageView());
    return status === 200;
  });
  const page = (path: string) => ({ Page: { Absolute: `https://shop.example.com${path}` } });
  await post(origin, '/api/page-view', shopKey, pageView(page('/products/oak-desk')));
  await post(origin, '/api/page-view', shopKey, pageView({ Language: { Code: 'en-US' } }));
  const parameters = [
    { Name: 'plan', Value: 'pro' },
    { Name: 'currency', Value: 'EUR' },
  ];
  await post(origin, '/api/event-view', shopKey, event('purchase', parameters, page('/checkout/thanks')));
  for (let visitor = 0; visitor < 110; visitor += 1) {
    const Browser = { IP: `198.51.100.${visitor}`, UserAgent: pageView().Metrics.Browser.UserAgent };
    await post(origin, '/api/page-view', blogKey, pageView({ Browser }));
  }
  await waitFor('the records to be counted', async () => {
    const { body } = await admin.ask('GET', `/api/websites/${blog}/activity`);
    return body.visitors > 100;
  });
}

function shotsOf(shop: number, fresh: number): Shot[] {
  return [
    { name: 'sign-in', path: '/sign-in', isSignedOut: true },
    { name: 'setup', path: '/setup', isSignedOut: true },
    { name: 'websites', path: '/websites', act: (page) => page.waitForSelector('.sparkline') },
    { name: 'add-website', path: '/websites/new' },
    { name: 'integrate', path: `/websites/${fresh}` },
    { name: 'website', path: `/websites/${shop}` },
    { name: 'edit-website', path: `/websites/${shop}/settings` },
    {
      ...{ name: 'regenerate-key', path: `/websites/${shop}/settings` },
      act: (page) => page.getByRole('button', { name: 'Regenerate…' }).click(),
    },
    { name: 'account', path: '/account' },
    { name: 'users', path: '/users' },
    { name: 'audit-log', path: '/audit' },
    { name: 'not-found', path: '/nowhere' },
  ];
}

async function shoot(
  of: Browser,
  options: {
    screen: string;
    viewport: { width: number; height: number };
    theme: 'light' | 'dark';
    shots: Shot[];
  },
): Promise<void> {
  const { screen, viewport, theme, shots } = options;
  const context = await of.newContext({
    viewport,
    colorScheme: theme,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  });
  const signedOut = await of.newContext({ viewport, colorScheme: theme, locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${trackside.origin()}/sign-in`);
  await page.getByLabel('E-mail').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/websites');
  for (const { name, path, isSignedOut, act } of shots) {
    const shown = isSignedOut ? await signedOut.newPage() : page;
    await shown.goto(`${trackside.origin()}${path}`, { waitUntil: 'load' });
    await shown.waitForSelector('h1');
    await act?.(shown);
    // What comes by itself, such as recent requests, and the end of a movement.
    await shown.waitForTimeout(900);
    await shown.screenshot({
      path: join(folder, `${name}-${screen}-${theme}.png`),
      fullPage: act === undefined,
    });
  }
  await context.close();
  await signedOut.close();
}
