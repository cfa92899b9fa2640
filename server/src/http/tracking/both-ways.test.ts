import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { requestText, sendRaw } from '../../../test/support/raw-connection.ts';
import { pageView } from '../../../test/support/records.ts';
import { createFakeClock } from '../../control/test-control.ts';
import { startTestHttp } from '../test-http.ts';

/** A request with a query goes to Node's parser. Everything else is the same. */
const paths = { fastLane: '/api/page-view', node: '/api/page-view?a' } as const;

const tooOld = JSON.stringify({ ...pageView(), OccurredAt: '2026-03-09T07:59:59Z' });

type Sending = { apiKey: string; idempotencyKey: string; body: string };
type Fault = { says: RegExp; put: (sending: Sending) => void };

/** One fault for each step that a client can fail, in the order of the steps. */
const faults: readonly Fault[] = [
  { says: /^401 Unauthorized/, put: (sending) => (sending.apiKey = 'wrong') },
  { says: /^400 Idempotency-Key: expected 1 to 255/, put: (sending) => (sending.idempotencyKey = '') },
  { says: /^400 Body: .* not valid JSON/, put: (sending) => (sending.body = '{') },
  { says: /^400 Metrics: /, put: (sending) => (sending.body = '{}') },
  {
    says: /^400 OccurredAt: expected a time of at most 25 hours ago/,
    put: (sending) => (sending.body = tooOld),
  },
];

async function open(t: TestContext, contingent: number) {
  // The journal is full, so that the last step refuses what all others let through.
  const parts = await startTestHttp(t, { clock: createFakeClock('2026-03-10T09:00:00Z'), maxBytes: 1 });
  const { apiKey } = await parts.addWebsite('a.test', contingent);
  let byNode = 0;
  parts.server.on('request', () => {
    byNode += 1;
  });
  const textOf = (path: string, sending: Sending) => {
    const headers = { Authorization: sending.apiKey, 'Idempotency-Key': sending.idempotencyKey };
    return requestText('POST', path, headers, sending.body);
  };
  const ask = async (text: string) => {
    const answer = await sendRaw(parts.origin, text);
    const { 'retry-after': retryAfter, 'contingent-remaining': remaining } = answer!.headers;
    const said = `${answer!.status} ${JSON.parse(answer!.body).Message}`;
    return { said, retryAfter, remaining };
  };
  const right: Sending = { apiKey, idempotencyKey: 'a', body: JSON.stringify(pageView()) };
  return { right, textOf, ask, byNode: () => byNode };
}

for (const [contingent, last] of [
  [0, /^429 Monthly contingent/],
  [5, /^503 There is no space/],
] as const) {
  test(`both paths report the same one of several faults, with a contingent of ${contingent}`, async (t) => {
    const { right, textOf, ask, byNode } = await open(t, contingent);
    const combinations = 2 ** faults.length;
    for (let combination = 0; combination < combinations; combination += 1) {
      const put = faults.filter((_, index) => combination & (1 << index));
      const sending = { ...right };
      // The order is reversed, so that of two faults in the body the one of the earlier step remains.
      for (const fault of put.toReversed()) fault.put(sending);
      const fast = await ask(textOf(paths.fastLane, sending));
      assert.equal(byNode(), combination, 'expected the fast lane to answer');
      const usual = await ask(textOf(paths.node, sending));
      assert.equal(byNode(), combination + 1, 'expected Node to answer');
      assert.deepEqual(fast, usual);
      assert.match(fast.said, put[0]?.says ?? last);
    }
  });
}

test('both paths answer a wrong API key before the body has arrived', async (t) => {
  const { right, textOf, ask } = await open(t, 5);
  for (const path of Object.values(paths)) {
    const text = textOf(path, { ...right, apiKey: 'wrong', idempotencyKey: '' });
    for (const end of [text.length - 1, text.indexOf('\r\n\r\n') + 4])
      assert.match((await ask(text.slice(0, end))).said, /^401 Unauthorized/);
  }
});

test('both paths accept a key from the moment it is created, and refuse one that is made up', async (t) => {
  const parts = await startTestHttp(t, { clock: createFakeClock('2026-03-10T09:00:00Z') });
  const body = JSON.stringify(pageView());
  for (const [domain, path] of [
    ['a.test', paths.fastLane],
    ['b.test', paths.node],
  ] as const) {
    const send = async (key: string) =>
      (await sendRaw(parts.origin, requestText('POST', path, { Authorization: key }, body)))!.status;
    const { apiKey } = await parts.control.websites.add({ domain, timezone: 'UTC', contingent: null });
    assert.equal(await send(apiKey), 200);
    assert.equal(await send(apiKey), 200);
    const madeUp = 'a'.repeat(43);
    assert.equal(await send(madeUp), 401);
    assert.equal(await send(madeUp), 401);
  }
});

test('both paths answer 503 to a key that they cannot check', async (t) => {
  const parts = await startTestHttp(t, { clock: createFakeClock('2026-03-10T09:00:00Z') });
  const { apiKey } = await parts.addWebsite('a.test', null);
  await parts.control.close();
  for (const path of Object.values(paths)) {
    const send = (key: string) =>
      sendRaw(parts.origin, requestText('POST', path, { Authorization: key }, JSON.stringify(pageView())));
    const unknown = await send('b'.repeat(43));
    assert.equal(unknown?.status, 503);
    assert.equal(unknown?.headers['retry-after'], '5');
    assert.match(unknown?.body ?? '', /"The API key cannot be checked at the moment: try again later"/);
    assert.equal((await send(apiKey))?.status, 200, 'a key that is known needs no database');
  }
});
