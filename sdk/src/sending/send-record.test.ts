import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, test } from 'node:test';
import { inspect } from 'node:util';
import {
  answer,
  answerPage,
  type Behaviour,
  cut,
  cutInAnswer,
  hang,
  startTestServer,
} from '../client/test-server.ts';
import type { Attempt } from '../faults/result.ts';
import { makePageView } from '../record/make-record.ts';
import type { TrackRecord } from '../record/record.ts';
import { makeMetrics, testIp, testKey } from '../record/test-metrics.ts';
import { systemClock } from '../time/clock.ts';
import type { Exchange } from './exchange.ts';
import { createFetchExchange } from './exchange-by-fetch.ts';
import { createHttpExchange } from './exchange-by-http.ts';
import { sendRecord } from './send-record.ts';

const makeRecord = () => makePageView(makeMetrics()) as TrackRecord;
const minute = { 'Retry-After': '60' };

async function sendBy(
  exchange: Exchange,
  url: string,
  { timeoutMs = 300_000, record = makeRecord(), attempts = 1 } = {},
): Promise<Attempt> {
  const destination = { url, apiKey: testKey, timeoutMs, exchange };
  const attempt = await sendRecord(destination, { ...record, attempts }, systemClock);
  const text = inspect(attempt, { depth: 10 });
  assert.ok(!text.includes(testKey) && !text.includes(testIp), text);
  return attempt;
}

type Case = [
  what: string,
  Behaviour,
  Partial<Attempt['result']>,
  Pick<Attempt, 'isTransient' | 'isUncertain'>,
];
const final = { isTransient: false, isUncertain: false };
const again = { isTransient: true, isUncertain: false };
const againButUncertain = { isTransient: true, isUncertain: true };
const cases: Case[] = [
  ['a 400', answer(400, 'No'), { kind: 'malformed', code: 400, message: 'No' }, final],
  ['a 401', answer(401, 'No'), { kind: 'unauthorized', code: 401, message: 'No' }, final],
  ['a 404', answer(404, 'No'), { kind: 'unavailable', code: 404 }, final],
  [
    'a 503 of Trackside',
    answer(503, 'Later', minute),
    { kind: 'unavailable', code: 503, message: 'Later', retryAfterMs: 60_000 },
    again,
  ],
  [
    'a 503 of Trackside for a record that it may count',
    answer(503, 'Later', { 'Trackside-Outcome': 'unknown' }),
    { kind: 'unavailable', code: 503, message: 'Later' },
    againButUncertain,
  ],
  ["a gateway's 502", answerPage(502), { kind: 'unavailable', code: 502 }, againButUncertain],
  [
    "a gateway's 503",
    answerPage(503, minute),
    { kind: 'unavailable', code: 503, retryAfterMs: 60_000 },
    againButUncertain,
  ],
  ["a proxy's 429", answerPage(429, minute), { kind: 'unavailable', code: 429, retryAfterMs: 60_000 }, again],
  ["a proxy's 408", answerPage(408), { kind: 'unavailable', code: 408 }, again],
  ["a proxy's 425", answerPage(425), { kind: 'unavailable', code: 425 }, again],
  ["a firewall's 403", answerPage(403), { kind: 'unavailable', code: 403 }, final],
  ["another server's 404", answerPage(404), { kind: 'unavailable', code: 404 }, final],
  [
    'a page with status 200',
    answerPage(200),
    { kind: 'unavailable', code: 200 },
    { isTransient: false, isUncertain: true },
  ],
  ['a cut connection', cut, { kind: 'unavailable', code: 0 }, againButUncertain],
  ['an answer that is cut', cutInAnswer, { kind: 'unavailable', code: 0 }, againButUncertain],
];
const exchanges = [
  ['fetch', createFetchExchange(fetch)],
  ['node:http', createHttpExchange()],
] as const;

for (const [name, exchange] of exchanges) {
  describe(`sends by ${name}, and`, () => {
    const send = (url: string, more: { timeoutMs?: number; record?: TrackRecord } = {}) =>
      sendBy(exchange, url, more);

    test('posts the record with its key and the API key, even below a path', async (t) => {
      const server = await startTestServer(t);
      const record = makeRecord();
      const { result } = await send(`${server.url}/stats`, { record });
      assert.deepEqual(result, { kind: 'accepted', code: 200, message: 'Success' });
      const [request] = server.requests;
      assert.deepEqual(
        {
          path: request?.path,
          key: request?.key,
          authorization: request?.authorization,
          body: request?.body,
        },
        { path: '/stats/api/page-view', key: record.key, authorization: testKey, body: record.body },
      );
      assert.equal(request?.headers['content-type'], 'application/json');
      assert.equal(request?.headers['trackside-attempt'], '1');
    });

    test('passes on the contingent', async (t) => {
      const server = await startTestServer(t);
      const headers = { 'Contingent-Limit': '1000', 'Contingent-Remaining': '7', 'Contingent-Reset': '60' };
      const contingent = { limit: 1000, remaining: 7, resetAfterMs: 60_000 };
      server.behave(answer(200, 'Success', headers));
      assert.deepEqual((await send(server.url)).result, {
        kind: 'accepted',
        code: 200,
        message: 'Success',
        contingent,
      });
      server.behave(answer(429, 'Used up', { ...headers, 'Retry-After': '60' }));
      assert.deepEqual((await send(server.url)).result, {
        kind: 'contingent-used-up',
        code: 429,
        message: 'Used up',
        retryAfterMs: 60_000,
        contingent,
      });
    });

    for (const [what, behaviour, result, rest] of cases) {
      test(`reports ${what} in its result`, async (t) => {
        const server = await startTestServer(t);
        server.behave(behaviour);
        const attempt = await send(server.url);
        assert.partialDeepStrictEqual(attempt, { result, ...rest });
      });
    }

    test('suggests checking url after a 404', async (t) => {
      const server = await startTestServer(t);
      server.behave(answerPage(404));
      assert.match((await send(server.url)).result.message, /check that url is the address of Trackside/);
    });

    test('does not follow a redirect, which would take the key along', async (t) => {
      const elsewhere = await startTestServer(t);
      const server = await startTestServer(t);
      server.behave(answerPage(307, { Location: `${elsewhere.url}/api/page-view` }));
      const { result, isUncertain } = await send(server.url);
      assert.partialDeepStrictEqual(result, { kind: 'unavailable', code: 307 });
      assert.match(result.message, /set url to the final address/);
      assert.equal(isUncertain, false);
      assert.equal(elsewhere.requests.length, 0);
    });

    test('gives up on a server that does not answer in time', async (t) => {
      const server = await startTestServer(t);
      server.behave(hang);
      const attempt = await send(server.url, { timeoutMs: 50 });
      assert.partialDeepStrictEqual(attempt, {
        result: { kind: 'unavailable', code: 0 },
        ...againButUncertain,
      });
      assert.match(attempt.result.message, /within 50 ms/);
    });

    test('gives up on an answer that does not end in time', async (t) => {
      const server = await startTestServer(t);
      server.behave((response) => response.write('{"Code":200,'));
      assert.partialDeepStrictEqual(await send(server.url, { timeoutMs: 50 }), againButUncertain);
    });

    test('reads no more than the start of an endless answer', async (t) => {
      const server = await startTestServer(t);
      let isGone = false;
      server.behave((response) => {
        const piece = 'x'.repeat(10_000);
        const more = () => void (response.destroyed || response.write(piece, () => setImmediate(more)));
        response.on('close', () => {
          isGone = true;
        });
        more();
      });
      assert.partialDeepStrictEqual((await send(server.url)).result, { kind: 'unavailable', code: 200 });
      while (!isGone) await new Promise((resolve) => setImmediate(resolve));
    });

    test('is certain that nothing arrived where nobody listens', async (t) => {
      const server = await startTestServer(t);
      await server.stop();
      const attempt = await send(server.url);
      assert.partialDeepStrictEqual(attempt, { result: { kind: 'unavailable', code: 0 }, ...again });
      assert.match(attempt.result.message, /no connection \(ECONNREFUSED\)/);
    });

    test('is certain that nothing arrived at a host without an address', async () => {
      assert.partialDeepStrictEqual(await send('http://trackside.invalid'), again);
    });

    test('is uncertain about what is cut off before anything is read', async (t) => {
      const server = createServer((socket) => socket.destroy());
      t.after(() => server.close());
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as { port: number };
      assert.partialDeepStrictEqual(await send(`http://127.0.0.1:${port}`), againButUncertain);
    });

    test('understands Retry-After as a date', async (t) => {
      const server = await startTestServer(t);
      server.behave(answer(503, 'Later', { 'Retry-After': new Date(Date.now() + 3_600_000).toUTCString() }));
      const { result } = await send(server.url);
      assert.ok(result.kind === 'unavailable' && result.retryAfterMs! > 3_000_000);
    });

    test('does not repeat a key that comes back in an answer', async (t) => {
      const server = await startTestServer(t);
      server.behave((response, { authorization }) =>
        answer(400, `Not for ${authorization}`)(response, {} as never),
      );
      assert.equal((await send(server.url)).result.message, 'Not for [API key]');
    });
  });
}

test('calls fetch as a plain function, as some runtimes require', async () => {
  const thisOfCall: unknown[] = [];
  function fetch(this: unknown) {
    thisOfCall.push(this);
    return Promise.resolve(Response.json({ Code: 200, Message: 'Success' }));
  }
  const exchange = createFetchExchange(fetch);
  const destination = { url: 'http://trackside.invalid', apiKey: testKey, timeoutMs: 300_000, exchange };
  const { result } = await sendRecord(destination, { ...makeRecord(), attempts: 1 }, systemClock);
  assert.equal(result.kind, 'accepted');
  assert.deepEqual(thisOfCall, [undefined]);
});
