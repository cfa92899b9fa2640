import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { before, test } from 'node:test';
import { findFreePort } from './support/find-free-port.ts';
import { isLongForm, testLong } from './support/long-form.ts';
import { pageView, post } from './support/records.ts';
import { shareTrackside, useTracksideHereOfProcess } from './support/share-trackside.ts';
import type { Trackside, TracksideHere } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

let trackside: Trackside | TracksideHere;
/** Only the long form tests what more than one worker has to know. */
const start = isLongForm
  ? shareTrackside({ environment: { TRACKSIDE_WORKERS: '2' }, port: await findFreePort() })
  : useTracksideHereOfProcess();
before(async () => {
  trackside = await start();
});

/** Sends a page view on a new connection, so that any worker may get it, and returns its receipt. */
async function send(apiKey: string, options: { clientId?: string; key?: string } = {}): Promise<string> {
  const body = pageView({ Identify: { ClientId: options.clientId ?? null } });
  const headers = { Connection: 'close', ...(options.key && { 'Idempotency-Key': options.key }) };
  const sendOnce = () => post(trackside.origin(), '/api/page-view', apiKey, body, headers);
  let answer = await sendOnce();
  // After a start, the worker of a key may be away for a while.
  await waitFor('somebody to judge the record', async () => {
    if (answer.status !== 503) return true;
    answer = await sendOnce();
    return false;
  });
  assert.equal(answer.status, 200);
  return answer.headers.get('trackside-receipt') ?? assert.fail('expected a receipt');
}

async function ask(apiKey: string, receipt: string) {
  const response = await fetch(`${trackside.origin()}/api/receipt/${receipt}`, {
    headers: { Authorization: apiKey },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Waits for a state, and returns the day that the record counts on. */
async function untilState(apiKey: string, receipt: string, state: string): Promise<unknown> {
  let last: Awaited<ReturnType<typeof ask>> | undefined;
  await waitFor(`the receipt to say ${state}`, async () => {
    last = await ask(apiKey, receipt);
    assert.ok(last.status === 200 || last.body.Code === 503, JSON.stringify(last));
    // A record on its way into the store is never taken for one that was erased.
    if (state === 'stored') assert.notEqual(last.body.State, 'gone');
    return last.body.State === state;
  });
  return last!.body.Day;
}

testLong('a receipt says where its record is, whichever worker took it', async () => {
  const { id, apiKey } = await trackside.addWebsite('receipts.test');
  const receipts = await Promise.all(Array.from({ length: 40 }, () => send(apiKey)));
  assert.equal(new Set(receipts).size, 40);
  for (const receipt of receipts) await untilState(apiKey, receipt, 'stored');
  const [{ day }] = (await trackside.store.query<{ day: string }>({
    query: `select toString(max(day)) as day from records where website_id = ${id}`,
  })) as [{ day: string }];
  const { body } = await ask(apiKey, receipts.at(-1)!);
  assert.deepEqual(body, { Code: 200, Message: 'The record is in the store', State: 'stored', Day: day });
});

test('a receipt of another website is as unknown as one that never was', async () => {
  const { apiKey } = await trackside.addWebsite('own-receipts.test');
  const { apiKey: other } = await trackside.addWebsite('other-receipts.test');
  const receipt = await send(apiKey);
  const foreign = await ask(other, receipt);
  assert.equal(foreign.status, 404);
  for (const text of [receipt.replace(/.$/, 'z'), 'x', 'a'.repeat(26), 'a'.repeat(90), '%00', '..%2f..'])
    assert.deepEqual(await ask(other, text), foreign, text);
  assert.equal((await ask('wrong', receipt)).status, 401);
  assert.equal((await ask('', receipt)).status, 401);
});

test('another method is answered in the words of the tracking interface', async () => {
  const response = await fetch(`${trackside.origin()}/api/receipt/x`, { method: 'POST', body: '{}' });
  assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET']);
  assert.deepEqual(await response.json(), { Code: 405, Message: 'Method not allowed: send a GET' });
});

testLong('after a kill, receipts hold, and a repeat still has that of the first', async () => {
  const { apiKey } = await trackside.addWebsite('killed-receipts.test');
  const keys = Array.from({ length: 12 }, () => randomUUID());
  const receipts = await Promise.all(keys.map((key) => send(apiKey, { key })));
  assert.deepEqual(await Promise.all(keys.map((key) => send(apiKey, { key }))), receipts);
  await trackside.end('SIGKILL');
  await trackside.start();
  for (const [at, key] of keys.entries()) assert.equal(await send(apiKey, { key }), receipts[at]);
  for (const receipt of receipts) await untilState(apiKey, receipt, 'stored');
});

test('a receipt of an erased record says that it is gone', async () => {
  const { apiKey } = await trackside.addWebsite('erased-receipts.test');
  const [erased, kept] = [await send(apiKey, { clientId: 'carl' }), await send(apiKey, { clientId: 'dora' })];
  await untilState(apiKey, erased, 'stored');
  const command = await trackside.runHere(
    'person',
    'erase',
    'erased-receipts.test',
    'carl',
    '--yes',
    '--json',
  );
  assert.equal(command.code, 0, command.stderr);
  assert.equal(await untilState(apiKey, erased, 'gone'), null);
  await untilState(apiKey, kept, 'stored');
});
