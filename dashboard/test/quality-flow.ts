import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { pageView, post } from '../../server/test/support/records.ts';
import type { Server } from './open-server.ts';
import { admin } from './open-server.ts';

/** What the page says about records that a backend really sent. */
export async function testQualityFlow(t: TestContext, { trackside, browser }: Server): Promise<void> {
  const { id, apiKey } = await trackside.addWebsite('quality.test');
  // A new release is a new process, which counts from 1 on under another name.
  const streams: Record<string, string> = { '1.41': 'web-1', '1.42': 'web-2' };
  const send = async (release: string, number: number, changes: Record<string, unknown> = {}) => {
    const headers = { 'Trackside-Release': release, 'Trackside-Sequence': `${streams[release]}.${number}` };
    return (await post(trackside.origin(), '/api/page-view', apiKey, pageView(changes), headers)).status;
  };
  for (let number = 1; number <= 30; number++) assert.equal(await send('1.41', number), 200);
  for (let number = 1; number <= 6; number++)
    assert.equal(
      await send('1.42', number, number % 3 === 0 ? { Page: {} } : {}),
      number % 3 === 0 ? 400 : 200,
    );
  // Again, with the same number.
  assert.equal(await send('1.41', 30), 200);

  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' });
  t.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  await page.goto(`${trackside.origin()}/sign-in?next=${encodeURIComponent(`/websites/${id}/quality`)}`);
  await page.getByLabel('Email').fill(admin.email);
  await page.getByLabel('Password', { exact: true }).fill(admin.password);
  await page.getByRole('button', { name: 'Sign in' }).click();

  await page.getByText('36 records sent, 5.6% refused.').waitFor();
  const refusals = page.getByRole('region', { name: 'Refused records' });
  await refusals.getByRole('heading', { name: 'Metrics.Page.Absolute' }).waitFor();
  await refusals.getByText('By release: 1.42: 2 of 6.').waitFor();
  const release = page.getByRole('region', { name: 'Releases' }).getByRole('row', { name: '1.41' });
  await release.getByRole('cell', { name: '30', exact: true }).waitFor();
  await page.locator('.hour[data-lost=true]').waitFor();
  assert.equal(
    await page.locator('.counts > div').filter({ hasText: 'Repeated' }).locator('b').textContent(),
    '1',
  );

  // The dashboard says so, too.
  await page.goto(`${trackside.origin()}/websites/${id}`);
  await page.getByRole('link', { name: '5.6% of today’s records were refused or are missing.' }).waitFor();
  assert.deepEqual(faults, []);
}
