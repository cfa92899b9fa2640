import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  answer,
  answerEach,
  answerPage,
  type Behaviour,
  cut,
  cutInAnswer,
  hang,
  startTestServer,
} from '../client/test-server.ts';
import { testKey } from '../record/test-metrics.ts';
import { systemClock } from '../time/clock.ts';
import { createFetchExchange } from './exchange-by-fetch.ts';
import { createHttpExchange } from './exchange-by-http.ts';
import { sendBatch } from './send-batch.ts';

const records = [1, 2, 3].map((number) => ({
  key: `key-${number}`,
  path: '/api/page-view' as const,
  body: `{"Metrics":{"Page":${number}}}`,
  attempts: number,
}));

async function send(
  t: TestContext,
  behaviour: Behaviour | undefined,
  { exchange = createHttpExchange(), timeoutMs = 300_000 } = {},
) {
  const server = await startTestServer(t);
  if (behaviour !== undefined) server.takeBatches(behaviour);
  const destination = { url: server.url, apiKey: testKey, timeoutMs, exchange };
  const outcome = await sendBatch(destination, records, systemClock);
  return { outcome, batches: server.batches };
}

for (const [name, exchange] of [
  ['fetch', createFetchExchange(fetch)],
  ['node:http', createHttpExchange()],
] as const) {
  test(`posts the records with their keys by ${name}, and reads what each was answered`, async (t) => {
    const codes = answerEach((at) => [200, 400, 503][at]!, { 'Retry-After': '7' });
    const { outcome, batches } = await send(t, codes, { exchange });
    const [request] = batches;
    assert.equal(
      request?.body,
      '{"Records":[{"Metrics":{"Page":1},"IdempotencyKey":"key-1"},' +
        '{"Metrics":{"Page":2},"IdempotencyKey":"key-2"},{"Metrics":{"Page":3},"IdempotencyKey":"key-3"}]}',
    );
    assert.deepEqual([request?.authorization, request?.headers['trackside-attempt']], [testKey, '3']);
    assert.equal(request?.headers['idempotency-key'], undefined);
    assert.deepEqual(outcome, [
      {
        result: { kind: 'accepted', code: 200, message: 'Success' },
        isTransient: false,
        isUncertain: false,
      },
      { result: { kind: 'malformed', code: 400, message: 'No' }, isTransient: false, isUncertain: false },
      {
        result: { kind: 'unavailable', code: 503, message: 'No', retryAfterMs: 7000 },
        isTransient: true,
        isUncertain: false,
      },
    ]);
  });
}

for (const [what, behaviour] of [
  ['an older server', undefined],
  ['a server that refuses the method', answer(405, 'Method not allowed')],
  ['a server that refuses the body', answer(400, 'Body: expected something else')],
  ['a proxy for which it is too large', answerPage(413)],
  ['a firewall', answerPage(403)],
  ['a redirect', answerPage(301, { Location: '/elsewhere' })],
] as const) {
  test(`has the records sent one by one after the answer of ${what}`, async (t) => {
    assert.equal((await send(t, behaviour)).outcome, 'one-by-one');
  });
}

for (const [what, behaviour, expected] of [
  ['no answer', hang, { kind: 'unavailable', isUncertain: true }],
  ['a cut connection', cut, { kind: 'unavailable', isUncertain: true }],
  ['half an answer', cutInAnswer, { kind: 'unavailable', isUncertain: true }],
  ['a gateway that gave up', answerPage(504), { kind: 'unavailable', isUncertain: true }],
  ['a success without results', answer(200, 'Success'), { kind: 'unavailable', isUncertain: true }],
  [
    'a record that may be counted',
    answerEach(() => 503, {}, { Outcome: 'unknown' }),
    { kind: 'unavailable', isUncertain: true },
  ],
  ['a busy server', answer(503, 'Later'), { kind: 'unavailable', isUncertain: false }],
  ['a wrong API key', answer(401, 'No'), { kind: 'unauthorized', isUncertain: false }],
] as const) {
  test(`tells each record about ${what}`, async (t) => {
    const { outcome } = await send(t, behaviour, { timeoutMs: behaviour === hang ? 500 : 300_000 });
    assert.ok(outcome !== 'one-by-one');
    assert.deepEqual(
      outcome.map(({ result, isUncertain }) => ({ kind: result.kind, isUncertain })),
      [expected, expected, expected],
    );
  });
}

test('does not trust results that are not one for each record', async (t) => {
  const tooFew: Behaviour = (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    const success = { Code: 200, Message: 'Success' };
    response.end(JSON.stringify({ ...success, Results: [success, success] }));
  };
  const { outcome } = await send(t, tooFew);
  assert.ok(outcome !== 'one-by-one');
  assert.ok(outcome.every(({ result, isUncertain }) => result.kind === 'unavailable' && isUncertain));
});

test('adds the time, the key and the number at the end of each record, and the release as a header', async (t) => {
  const server = await startTestServer(t);
  server.takeBatches(answerEach(() => 200));
  const destination = {
    url: server.url,
    apiKey: testKey,
    release: '1.4.2',
    timeoutMs: 300_000,
    exchange: createHttpExchange(),
  };
  const late = { ...records[0]!, sequence: 'stream.7', occurredAt: Date.UTC(2026, 0, 15, 9, 30) };
  await sendBatch(destination, [late, records[1]!], systemClock);
  const [request] = server.batches;
  assert.equal(
    request?.body,
    '{"Records":[{"Metrics":{"Page":1},"OccurredAt":"2026-01-15T09:30:00.000Z","IdempotencyKey":"key-1",' +
      '"Sequence":"stream.7"},{"Metrics":{"Page":2},"IdempotencyKey":"key-2"}]}',
  );
  assert.equal(request?.headers['trackside-release'], '1.4.2');
});
