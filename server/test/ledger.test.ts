import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerAnswer } from '@trackside/contract/app/ledger.ts';
import { isLongForm, times } from './support/long-form.ts';
import { pageView, post } from './support/records.ts';
import { startTrackside, type Trackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

const senders = 4;
const numbersOfSender = times(60, 1500);
const contingent = times(120, 3000);

type Told = { code: number; isExcluded: boolean };

/** Sends a numbered record until it has a verdict, as the SDK does. Every fifth is malformed. */
async function send(trackside: Trackside, apiKey: string, stream: string, number: number): Promise<Told> {
  const path = number % 7 === 0 ? '/admin/secret' : `/${stream}/${number}`;
  const body = number % 5 === 0 ? {} : pageView({ Page: { Absolute: `https://a.test${path}` } });
  const headers = {
    'Trackside-Sequence': `${stream}.${number}`,
    'Trackside-Release': '1.42',
    'Idempotency-Key': `${stream}.${number}`,
  };
  for (;;) {
    const answer = await post(trackside.origin(), '/api/page-view', apiKey, body, headers).catch(
      () => undefined,
    );
    if (answer !== undefined && answer.status !== 503 && answer.status !== 401)
      return { code: answer.status, isExcluded: String(answer.body.Message).startsWith('Excluded') };
    await delay(20);
  }
}

for (const workers of isLongForm ? [1, 2] : [2]) {
  test(`the ledger is exact after kills, with ${workers === 1 ? '1 worker' : `${workers} workers`}`, async (t) => {
    await killWhileCounting(t, workers);
  });
}

async function killWhileCounting(t: TestContext, workers: number): Promise<void> {
  const trackside = await startTrackside(t, { environment: { TRACKSIDE_WORKERS: String(workers) } });
  const { id, apiKey } = await trackside.addWebsite('a.test', contingent);
  await trackside.control.websites.update(id, { exclusions: [{ kind: 'path', value: '/admin/*' }] });
  const told: Told[] = [];
  const all = Array.from({ length: senders }, async (_, sender) => {
    for (let number = 1; number <= numbersOfSender; number += 1) {
      // One number of each sender is never sent.
      if (number === 11) continue;
      told.push(await send(trackside, apiKey, `web-${sender}`, number));
    }
  });
  for (let round = 1; round <= times(1, 20); round += 1) {
    const enough = (told.length + senders * numbersOfSender) / (times(1, 20) + 1);
    await waitFor('records to be answered', () => told.length > Math.min(round * 30, enough));
    await trackside.end('SIGKILL');
    await trackside.start();
  }
  await Promise.all(all);

  const count = (isMeant: (one: Told) => boolean) => told.filter(isMeant).length;
  const expected = {
    refused: count(({ code }) => code === 400),
    excluded: count(({ code, isExcluded }) => code === 200 && isExcluded),
    overQuota: count(({ code }) => code === 429),
    accepted: count(({ code, isExcluded }) => code === 200 && !isExcluded),
    sent: senders * (numbersOfSender - 1),
    missing: 0,
  };
  const { token } = JSON.parse((await trackside.runHere('token', 'add', 'a.test', '--json')).stdout);
  const headers = { Authorization: `Bearer ${token}` };
  const answer = await fetch(`${trackside.origin()}/api/ledger`, { headers });
  const ledger = (await answer.json()) as LedgerAnswer;
  const { repeated, ...totals } = ledger.totals;
  assert.deepEqual(totals, expected);
  assert.equal(expected.accepted, contingent, 'the contingent is used up, and no more than that');
  assert.ok(repeated <= told.length);
  assert.equal(ledger.numbered, expected.sent);
  assert.deepEqual(
    ledger.releases.map(({ release }) => release),
    ['1.42'],
  );
  assert.equal(ledger.keys.length, 1);

  await t.test('the command shows the same', async () => {
    const { code, stdout } = await trackside.runHere('ledger', 'a.test', '--json');
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout).totals, ledger.totals);
    const { stdout: text } = await trackside.runHere('ledger', 'a.test');
    const none = await trackside.runHere('ledger', 'a.test', '--period', '0d');
    assert.match(none.stderr, /--period: expected 30d or 2026-03-01\.\.2026-03-31, got "0d"\./);
    assert.match(text, /Records refused, over quota or missing: \d+ of \d+/);
    assert.match(text, /Metrics +expected an object, got nothing/);
  });
  await t.test('metrics have the outcomes of a website for those who ask', async () => {
    const read = async (query: string) => await (await fetch(`${trackside.origin()}/metrics${query}`)).text();
    assert.doesNotMatch(await read(''), /trackside_website_records_total/);
    assert.match(
      await read('?websites=1'),
      new RegExp(`trackside_website_records_total\\{website="${id}",outcome="refused"\\} \\d`),
    );
  });
}
