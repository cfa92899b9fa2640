import assert from 'node:assert/strict';
import { after, before, type TestContext, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type BuiltApp, buildApp } from './build-app.ts';
import { openChromium } from './open-chromium.ts';
import { fullData, type StandInData } from './stand-in/stand-in-data.ts';
import { startStandIn } from './stand-in/start-stand-in.ts';

let app: BuiltApp;
let browser: Browser;
before(async () => {
  app = await buildApp();
  browser = await openChromium();
});
after(async () => {
  await browser.close();
  await app.remove();
});

async function open(t: TestContext, search = '', data: StandInData = fullData('admin'), website = 1) {
  const standIn = await startStandIn(app.folder, data);
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin' });
  t.after(async () => {
    await context.close();
    await standIn.close();
  });
  const page = await context.newPage();
  page.setDefaultTimeout(8_000);
  await page.goto(`${standIn.origin}/websites/${website}${search}`);
  await page.waitForSelector('h1');
  return { page, data };
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
const period = (page: Page) => button(page, /^Period:/);
const shownPeriod = async (page: Page) => (await period(page).textContent())?.replace('Period: ', '');
const visitors = (page: Page) => button(page, /^Visitors/).textContent();
const field = (page: Page, label: string) => page.getByRole('dialog').getByLabel(label, { exact: true });
const search = (page: Page) => new URL(page.url()).search;
const turnedTo = (page: Page, text: string) => period(page).filter({ hasText: text }).waitFor();
const chips = (page: Page) => page.locator('.chip-text').allTextContents();

test('the range is in the address, and Back leads to the one before', async (t) => {
  const { page } = await open(t);
  await turnedTo(page, 'Last 30 days');
  await period(page).click();
  await page.getByRole('menuitemradio', { name: 'Last 7 days' }).click();
  await turnedTo(page, 'Last 7 days');
  assert.equal(search(page), '?period=7d');
  await button(page, 'Previous period').click();
  await page.waitForFunction(() => /^\?period=\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d$/.test(location.search));
  await button(page, 'Next period').click();
  await turnedTo(page, 'Last 7 days');
  assert.equal(
    await button(page, 'Next period').getAttribute('aria-disabled'),
    'true',
    'nothing after today',
  );
  await page.goBack();
  await page.goBack();
  await turnedTo(page, 'Last 7 days');
  await page.goBack();
  await turnedTo(page, 'Last 30 days');
});

test('a link is the view', async (t) => {
  const { page } = await open(
    t,
    '?period=2026-01-01..2026-06-30&compare=none&interval=month&metric=visits&f=country:is:DE&f=nonsense',
  );
  await turnedTo(page, '1 Jan');
  assert.deepEqual(await chips(page), ['Country is Germany']);
  await button(page, 'Interval of the chart: By month').waitFor();
  assert.equal(await button(page, /^Visits/).getAttribute('aria-pressed'), 'true');
  assert.ok(!(await page.locator('.period-text').textContent())?.includes('compared'));
});

test('a custom range is checked, then shown', async (t) => {
  const { page } = await open(t);
  await period(page).click();
  await page.getByText('Custom range…').click();
  await field(page, 'From').fill('2026-11-05');
  await field(page, 'To').fill('2026-11-03');
  await button(page, 'Show').click();
  await page.getByText('The first day lies after the last one.').waitFor();
  await field(page, 'To').fill('2026-11-07');
  await button(page, 'Show').click();
  await turnedTo(page, '5 – 7 Nov');
  assert.equal(search(page), '?period=2026-11-05..2026-11-07');
});

test('the comparison and the interval are chosen, and said', async (t) => {
  const { page } = await open(t);
  await button(page, /^Compare/).click();
  await page.getByRole('menuitemradio', { name: 'Year before' }).click();
  await page.waitForFunction(() => location.search === '?compare=previousYear');
  await page
    .locator('.period-text')
    .filter({ hasText: String(new Date().getFullYear() - 1) })
    .waitFor();
  await button(page, /^Interval of the chart/).click();
  assert.deepEqual(await page.getByRole('menuitemradio').allTextContents(), ['By day', 'By week']);
  await page.getByRole('menuitemradio', { name: 'By week' }).click();
  await page.waitForFunction(() => location.search === '?compare=previousYear&interval=week');
});

test('a filter is built from what there is, changed, and removed', async (t) => {
  const { page } = await open(t);
  const before = await visitors(page);
  await button(page, 'Filter').click();
  await field(page, 'Filter by').selectOption('Country');
  await field(page, 'Value').fill('germ');
  await page.getByRole('option', { name: /Germany/ }).click();
  await page.locator('.chip').waitFor();
  assert.deepEqual(await chips(page), ['Country is Germany']);
  assert.equal(search(page), '?f=country:is:DE');
  assert.notEqual(await visitors(page), before);

  await page.locator('.chip-text').click();
  await field(page, 'How').selectOption('is any of');
  await page.getByRole('option', { name: /Austria/ }).click();
  await field(page, 'Values').fill('Switzerland');
  await button(page, 'Change filter').click();
  await page.locator('.chip-text').filter({ hasText: 'Germany, Austria, Switzerland' }).waitFor();

  await button(page, /^Remove the filter/).click();
  await page.locator('.chip').waitFor({ state: 'detached' });
  assert.equal(search(page), '');
});

test('a filter on a parameter takes its name, and any text', async (t) => {
  const { page } = await open(t);
  await page.keyboard.press('/');
  await field(page, 'Filter by').selectOption('Parameter value');
  await field(page, 'How').selectOption('contains');
  await field(page, 'Parameter optional').fill('plan');
  await button(page, 'Add filter').click();
  await page.getByText('Enter a value, or choose one.').waitFor();
  await field(page, 'Value').fill('pr');
  await button(page, 'Add filter').click();
  await page.locator('.chip-text').filter({ hasText: 'plan contains pr' }).waitFor();
  assert.equal(search(page), '?f=parameterValue(plan):contains:pr');
});

test('the keys do what the list says, except while somebody types', async (t) => {
  const { page } = await open(t, '?f=country:is:DE');
  await page.locator('.chip').waitFor();
  await page.keyboard.press('3');
  await turnedTo(page, 'Last 7 days');
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => location.search.includes('..'));
  await page.keyboard.press('ArrowRight');
  await turnedTo(page, 'Last 7 days');
  await page.keyboard.press('x');
  await page.locator('.chip').waitFor({ state: 'detached' });
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  await page.keyboard.press('5');
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await field(page, 'Value').fill('');
  await page.keyboard.type('1x?/');
  assert.equal(await field(page, 'Value').inputValue(), '1x?/');
  await page.keyboard.press('Escape');
  assert.equal(search(page), '?period=7d');
  await page.keyboard.press('l');
  await page.waitForURL('**/websites/1/live');
});

test('the old numbers stay under their own labels until the new ones are there', async (t) => {
  const { page } = await open(t);
  await turnedTo(page, 'Last 30 days');
  await button(page, /^Visitors\D*\d/).waitFor();
  const before = await visitors(page);
  const letThrough = Promise.withResolvers<void>();
  await page.route('**/api/stats/batch', async (route) => {
    await letThrough.promise;
    await route.continue().catch(() => {});
  });
  await page.keyboard.press('1');
  await page.getByText('Loading the numbers').waitFor({ state: 'attached' });
  assert.equal(search(page), '?period=today');
  assert.equal(await shownPeriod(page), 'Last 30 days');
  assert.equal(await visitors(page), before);
  const stopped = page.waitForEvent('requestfailed');
  await page.keyboard.press('3');
  assert.match((await stopped).url(), /batch$/, 'what nobody waits for is stopped');
  assert.equal(search(page), '?period=7d');
  letThrough.resolve();
  await turnedTo(page, 'Last 7 days');
  assert.notEqual(await visitors(page), before);
  await page.getByText('Loading the numbers').waitFor({ state: 'detached' });
});

test('an engine that restarts is told, the old numbers stay, and it recovers by itself', async (t) => {
  const { page, data } = await open(t);
  await button(page, /^Visitors\D*\d/).waitFor();
  const before = await visitors(page);
  data.isEngineAway = true;
  await page.keyboard.press('3');
  await page.getByText('The numbers engine is restarting').waitFor();
  assert.equal(await shownPeriod(page), 'Last 30 days');
  assert.equal(await visitors(page), before);
  data.isEngineAway = false;
  await turnedTo(page, 'Last 7 days');
  await page.getByText('The numbers engine is restarting').waitFor({ state: 'detached' });
});

test('a website without records shows how to send some, and its numbers when the first has come', async (t) => {
  const { page, data } = await open(t, '', fullData('admin'), 5);
  await page.getByText('Send records from your backend').waitFor();
  data.activity.set(5, { visitors: 3, byHour: [] });
  await page.getByText('The first record is here.').waitFor();
  await button(page, 'Open the numbers').click();
  await turnedTo(page, 'Last 30 days');
});

test('a viewer of such a website is told that there is nothing yet', async (t) => {
  const data = fullData('viewer');
  data.websites[0]!.usage.used = 0;
  data.activity.set(1, { visitors: 0, byHour: [] });
  const { page } = await open(t, '', data);
  await page.getByText('No records yet').waitFor();
});
