import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openRaw, requestText, sendRaw } from '../../../test/support/raw-connection.ts';
import { event, pageView } from '../../../test/support/records.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { createFakeClock } from '../../control/test-control.ts';
import { readJournal } from '../../journal/test-journal.ts';
import { startTestHttp } from '../test-http.ts';

const body = JSON.stringify(pageView());
/** A request with a query goes to Node's parser. Everything else is the same. */
const lanes = { 'in the fast lane': '/api/page-view', 'by Node': '/api/page-view?a' } as const;
type Lane = keyof typeof lanes;
type Sending = { lane?: Lane; key?: string; headers?: Record<string, string>; body?: string };

async function open(t: TestContext, contingent: number | null = 5) {
  const parts = await startTestHttp(t, { clock: createFakeClock('2026-03-10T09:00:00Z') });
  const { id, apiKey } = await parts.addWebsite('a.test', contingent);
  let byNode = 0;
  parts.server.on('request', () => {
    byNode += 1;
  });
  const textOf = ({ lane = 'in the fast lane', key, headers, body: sent = body }: Sending) => {
    const own = { Authorization: apiKey, ...(key !== undefined && { 'Idempotency-Key': key }), ...headers };
    return requestText('POST', lanes[lane], own, sent);
  };
  const send = async (sending: Sending) => {
    const answer = await sendRaw(parts.origin, Buffer.from(textOf(sending), 'latin1'));
    const { Message } = JSON.parse(answer!.body);
    const remaining = answer!.headers['contingent-remaining'];
    return { status: answer!.status, message: String(Message), remaining };
  };
  return { ...parts, id, apiKey, textOf, send, byNode: () => byNode };
}

for (const [first, second] of [
  ['in the fast lane', 'in the fast lane'],
  ['in the fast lane', 'by Node'],
  ['by Node', 'in the fast lane'],
  ['by Node', 'by Node'],
] as const) {
  test(`a record that was read ${first} is recognized when it is read again ${second}`, async (t) => {
    const { send, counts, journal, recent, id, byNode } = await open(t);
    const expected = { status: 200, message: 'Success', remaining: '4' };
    assert.deepEqual(await send({ lane: first, key: 'a' }), expected);
    assert.deepEqual(await send({ lane: second, key: 'a' }), expected);
    assert.equal(byNode(), [first, second].filter((lane) => lane === 'by Node').length);
    assert.equal((await readJournal(journal)).length, 1);
    assert.deepEqual([counts.accepted.page_view, counts.repeated.page_view], [1, 1]);
    assert.equal(counts.refused.size, 0);
    const shown = recent
      .list(id)
      .requests.map(({ code, isRepeat, summary }) => [code, isRepeat, summary !== undefined]);
    assert.deepEqual(shown, [
      [200, true, false],
      [200, false, true],
    ]);
  });
}

for (const lane of ['in the fast lane', 'by Node'] as const) {
  test(`refuses an invalid key with a reason, and never quotes it, when read ${lane}`, async (t) => {
    const { send, messages, journal, recent, id } = await open(t);
    for (const [headers, says] of [
      [{ 'Idempotency-Key': '' }, /1 to 255 characters, got none/],
      [{ 'Idempotency-Key': '   ' }, /1 to 255 characters, got none/],
      [{ 'Idempotency-Key': `marked${'k'.repeat(250)}` }, /at most 255 characters, got 256/],
      [{ 'Idempotency-Key': 'marked\tkey' }, /printable ASCII/],
      [{ 'Idempotency-Key': 'marked\u00e9key' }, /printable ASCII/],
      [{ 'Idempotency-Key': 'marked', 'idempotency-key': 'marked' }, /one header, got 2/],
    ] as [Record<string, string>, RegExp][]) {
      const { status, message, remaining } = await send({ lane, headers });
      assert.deepEqual([status, remaining], [400, '5']);
      assert.match(message, /^Idempotency-Key: expected /);
      assert.match(message, says);
      assert.doesNotMatch(JSON.stringify([message, messages, recent.list(id)]), /marked/);
    }
    assert.equal((await readJournal(journal)).length, 0);
    const longest = '~'.repeat(255);
    for (const key of [' one two ', longest]) assert.equal((await send({ lane, key })).status, 200);
    assert.equal((await readJournal(journal)).length, 2);
  });

  test(`checks API key, idempotency key, body, repeat and contingent in this order ${lane}`, async (t) => {
    const { send, setContingent, id } = await open(t);
    assert.equal((await send({ lane, key: 'a' })).status, 200);
    await setContingent(id, 1);
    const bad = { 'Idempotency-Key': '' };
    const about = async (sending: Sending) => {
      const { status, message } = await send({ lane, ...sending });
      return `${status} ${message.split(/[:\s]/)[0]}`;
    };
    assert.equal(await about({ headers: { ...bad, Authorization: 'wrong' }, body: '{' }), '401 Unauthorized');
    assert.equal(await about({ headers: bad, body: '{' }), '400 Idempotency-Key');
    assert.equal(await about({ headers: { ...bad, 'Content-Length': '999999' } }), '400 Idempotency-Key');
    assert.equal(await about({ key: 'a', body: '{' }), '400 Body');
    assert.equal(await about({ key: 'a' }), '200 Success');
    assert.equal(
      await about({ key: 'a', body: JSON.stringify(pageView({ Screen: { Width: 1, Height: 1 } })) }),
      '400 Idempotency-Key',
    );
    assert.equal(await about({ key: 'b' }), '429 Monthly');
    await setContingent(id, null);
    assert.equal(await about({ key: 'b' }), '200 Success', 'a refused record can come again with its key');
  });
}

test('refuses a bad key instead of asking for the body', async (t) => {
  const { origin, textOf } = await open(t);
  const [head] = textOf({ key: '', headers: { Expect: '100-continue' } }).split('{');
  const answer = await sendRaw(origin, head!);
  assert.equal(answer?.status, 400);
  assert.match(answer!.body, /Idempotency-Key/);
});

test('answers repeats that arrive while the first is being written together with it, once each', async (t) => {
  const { origin, textOf, counts, journal } = await open(t);
  const append = journal.append;
  const held: (() => void)[] = [];
  journal.append = (payload, done, mark) => held.push(() => append(payload, done, mark));
  const connections = await Promise.all([1, 2, 3, 4].map(() => openRaw(origin)));
  const requests = (['in the fast lane', 'by Node', 'in the fast lane', 'by Node'] as const).map((lane) =>
    textOf({ lane, key: 'a' }),
  );
  connections[0]!.send(requests[0]!);
  await waitFor('the first request', () => held.length === 1);
  for (const [index, connection] of connections.entries()) if (index > 0) connection.send(requests[index]!);
  // Once this request is answered, those before it have been read.
  const other = await openRaw(origin);
  other.send(textOf({ lane: 'by Node', body: '{' }));
  await other.untilAnswers(1);
  assert.equal(held.length, 1, 'no second record is under way');
  connections[2]!.reset();
  held[0]!();
  for (const connection of [connections[0]!, connections[1]!, connections[3]!]) {
    const answers = await connection.untilAnswers(1);
    assert.deepEqual([answers.length, answers[0]?.status], [1, 200]);
    connection.destroy();
  }
  other.destroy();
  assert.equal(counts.accepted.page_view, 1);
  assert.equal((await readJournal(journal)).length, 1);
});

test('recognizes an event on its own path, and its key has no effect on the other', async (t) => {
  const { origin, apiKey, counts } = await open(t);
  const sent = JSON.stringify(event('Signup', []));
  const post = async (path: string) => {
    const headers = { Authorization: apiKey, 'Idempotency-Key': 'a' };
    return (await sendRaw(origin, requestText('POST', path, headers, sent)))?.status;
  };
  assert.deepEqual([await post('/api/event-view'), await post('/api/event-view')], [200, 200]);
  assert.deepEqual([counts.accepted.event, counts.repeated.event], [1, 1]);
  assert.equal(await post('/api/page-view'), 400);
});
