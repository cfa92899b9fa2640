import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { testLong } from '../../../server/test/support/long-form.ts';
import { fullData, type StandInData } from '../stand-in/stand-in-data.ts';
import type { LedgerState } from '../stand-in/stand-in-ledger.ts';
import type { Open } from './create-opener.ts';

const path = '/websites/1/quality';
const withLedger = (ledger: LedgerState): StandInData => ({ ...fullData('admin'), ledger });
const card = (page: Page, name: string) => page.getByRole('region', { name });
const chosenDay = (page: Page) => page.getByRole('slider', { name: 'Day' });

/** What became of everything that was sent. */
export function testQuality(open: Open): void {
  test('the settings and the menu of a website lead to its data quality', async (t) => {
    const { page } = await open(t, '/websites/1/settings');
    await page.getByRole('link', { name: 'Data quality' }).click();
    await page.getByRole('heading', { name: 'Data quality', level: 1 }).waitFor();
    await page.locator('.site-button').click();
    await page.getByRole('menuitem', { name: 'Blog' }).click();
    await page.waitForURL('**/websites/2/quality');
    await page.locator('.site-button').click();
    await page.getByRole('menuitem', { name: 'Settings' }).waitFor();
    assert.equal(await page.getByRole('menuitem', { name: 'Data quality' }).count(), 0);
  });

  test('says that everything was counted, except what rules exclude', async (t) => {
    const { page } = await open(t, path, withLedger('fine'));
    await page.getByText('in the last 30 days was counted, except what your rules exclude.').waitFor();
    await page.getByText('No record was refused.').waitFor();
    await page.getByText('Your backend doesn’t number its records.').waitFor();
    await card(page, 'Missing records').getByText('Trackside-Sequence').waitFor();
    await card(page, 'Releases').getByText('Trackside-Release').waitFor();
    assert.equal(await card(page, 'API keys').count(), 0);
  });

  test('says how much was not counted, why, and since which release', async (t) => {
    const { page } = await open(t, path, withLedger('troubled'));
    await page.getByText(/^47,\d{3} records sent, 1\.8% not counted\.$/).waitFor();
    const refusals = card(page, 'Refused records');
    await refusals.getByText('Since release 1.42, 4.2% of records lack this field.').waitFor();
    await refusals.getByText('an absolute http or https URL of at most 8192 characters').waitFor();
    const messages = await refusals.locator('p > code[lang=en]').allTextContents();
    assert.match(messages.join('\n'), /^expected an absolute http or https URL .+, got .+$/m);
    assert.equal(await refusals.getByText('Since release').count(), 1);
    const missing = card(page, 'Missing records').getByRole('row', { name: 'web-1' });
    await missing.getByText('184201–184217').waitFor();
    await card(page, 'API keys').getByText('(old)').waitFor();
  });

  test('a day is chosen with a click or the keyboard, and shows its hours', async (t) => {
    const { page } = await open(t, path, withLedger('troubled'));
    await page.locator('.hours').waitFor();
    const worst = await chosenDay(page).getAttribute('aria-valuetext');
    assert.match(worst!, /Refused: \d+/);
    await chosenDay(page).press('ArrowRight');
    const next = await chosenDay(page).getAttribute('aria-valuetext');
    assert.notEqual(next, worst);
    await page.getByRole('heading', { name: next!.split(':')[0]!, level: 3 }).waitFor();
    const asked = page.waitForRequest(/ledger\?from=(\S+)&to=\1$/);
    await page.locator('.day-cell').first().click();
    await asked;
    assert.equal(await chosenDay(page).inputValue(), '0');
    await page.locator('.hours > li').last().waitFor();
    assert.equal(await page.locator('.hours > li').count(), 24);
  });

  testLong('the period is part of the address', async (t) => {
    const { page } = await open(t, path, withLedger('troubled'));
    await page.getByRole('button', { name: '90 days' }).click();
    await page.waitForURL('**/quality?days=90');
    await page.waitForFunction(() => document.querySelectorAll('.day-cell').length === 90);
    await page.reload();
    await page.getByRole('button', { name: '90 days', pressed: true }).waitFor();
    await page.goto(page.url().replace('=90', '=1000'));
    await page.getByRole('button', { name: '30 days', pressed: true }).waitFor();
  });

  test('says that nothing was sent, ever or lately', async (t) => {
    const { page, data } = await open(t, path, withLedger('empty'));
    await page.getByText('Nothing recorded here yet').waitFor();
    await page.getByRole('link', { name: 'Send records' }).waitFor();
    data.ledger = 'silent';
    await page.reload();
    await page.getByText('Nothing was sent in the last 30 days').waitFor();
    await page.getByText('Counting began').waitFor();
  });

  testLong('a hint on the dashboard leads to the reasons, if more than 1% was lost', async (t) => {
    const { page, data } = await open(t, '/websites/1', withLedger('troubled'));
    await page.getByRole('link', { name: '3.0% of today’s records were refused or are missing.' }).click();
    await page.waitForURL('**/websites/1/quality');
    data.ledger = 'fine';
    const dashboard = new URL('/websites/1', page.url()).href;
    // A response to the page that is left would never be complete.
    await page.goto('about:blank');
    const isAnswered = page.waitForEvent('requestfinished', (request) => request.url().includes('/ledger?'));
    await page.goto(dashboard);
    await isAnswered;
    await page.locator('.bar-row').first().waitFor();
    assert.equal(await page.locator('.lost-hint').count(), 0);
  });

  testLong('a viewer has no page about data quality', async (t) => {
    const { page } = await open(t, path, fullData('viewer'));
    await page.getByText('There’s nothing at this address').waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(new URL('/websites/1', page.url()).href);
    await page.locator('.bar-row').first().waitFor();
    assert.deepEqual(
      asked.filter((url) => url.includes('/ledger')),
      [],
    );
  });
}
