import assert from 'node:assert/strict';
import { test } from 'node:test';
import { times } from '../../../test/support/long-form.ts';
import { openRaw, requestText, sendRaw } from '../../../test/support/raw-connection.ts';
import { pageView } from '../../../test/support/records.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { createFakeClock } from '../../control/test-control.ts';
import { startTestHttp } from '../test-http.ts';
import { wholeBodyRouteAt } from './test-whole-body.ts';

const start = '2026-03-10T09:00:00Z';
const quick = { headersTimeout: 60, requestTimeout: 120, connectionsCheckingInterval: 20 };
const body = JSON.stringify(pageView());

const wholeBodyRoute = wholeBodyRouteAt('/whole');
const leaving = times(600, 2000);

test('a request that does not arrive in time gets a 400 and a closed connection', async (t) => {
  const { origin, addWebsite } = await startTestHttp(t, { clock: createFakeClock(start), timeouts: quick });
  const { apiKey } = await addWebsite('a.test', null);
  const unfinished = {
    'headers that never end': 'POST /api/page-view HTTP/1.1\r\nHost: a\r\nX-',
    'a body that never ends': requestText('POST', '/api/page-view', {
      Authorization: apiKey,
      'Content-Length': '5000',
    }),
    'a chunk that never ends': `${requestText('POST', '/api/page-view', {
      Authorization: apiKey,
      'Transfer-Encoding': 'chunked',
    })}5\r\n{"M`,
    'a continued body that never comes': requestText('POST', '/api/page-view', {
      Authorization: apiKey,
      'Content-Length': '50',
      Expect: '100-continue',
    }),
  };
  for (const [name, text] of Object.entries(unfinished)) {
    await t.test(name, async () => {
      const connection = await openRaw(origin);
      connection.send(text);
      const answers = (await connection.untilClosed()).filter(({ status }) => status !== 100);
      connection.destroy();
      assert.deepEqual(
        answers.map(({ status }) => status),
        [400],
      );
      assert.match(answers[0]!.body, /expected the whole request within the time limit/);
    });
  }
  await t.test('does not answer a refused request twice when its body never arrives', async () => {
    const connection = await openRaw(origin);
    connection.send(requestText('POST', '/api/page-view', { 'Content-Length': '5000' }));
    const answers = await connection.untilClosed();
    connection.destroy();
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401],
    );
  });
});

test('sets its limits for time, connections and headers', async (t) => {
  const { server } = await startTestHttp(t, { clock: createFakeClock(start) });
  const { headersTimeout, requestTimeout, keepAliveTimeout, maxConnections } = server;
  assert.deepEqual(
    { headersTimeout, requestTimeout, keepAliveTimeout, maxConnections },
    { headersTimeout: 15_000, requestTimeout: 30_000, keepAliveTimeout: 75_000, maxConnections: 20_000 },
  );
});

test('answers an upgrade request like any other, and then closes the connection', async (t) => {
  const { origin, addWebsite, counts } = await startTestHttp(t, { clock: createFakeClock(start) });
  const { apiKey } = await addWebsite('a.test', null);
  const plain = requestText('POST', '/api/page-view', { Authorization: apiKey }, body);
  const fields = [
    { Connection: 'Upgrade', Upgrade: 'websocket' },
    { Connection: 'keep-alive, Upgrade', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAARAAAAAAAIAAAAA' },
    { 'Proxy-Connection': 'Upgrade', Upgrade: 'websocket' },
  ];
  let accepted = 0;
  for (const upgrade of fields) {
    const headers = { Authorization: apiKey, ...upgrade };
    for (const [request, isRecord] of [
      [requestText('POST', '/api/page-view', headers, body), true],
      [requestText('POST', '/api/page-view?a', headers, body), true],
      [requestText('GET', '/health', upgrade), false],
    ] as const) {
      const connection = await openRaw(origin);
      connection.send(`${request}${plain}`);
      const answers = await connection.untilClosed();
      connection.destroy();
      assert.deepEqual(
        answers.map(({ status, headers: { connection: then } }) => [status, then]),
        [[200, 'close']],
        request,
      );
      accepted += isRecord ? 1 : 0;
    }
  }
  assert.equal(counts.accepted.page_view, accepted);
});

test('keeps and closes connections in the same way on both paths', async (t) => {
  const { origin, addWebsite } = await startTestHttp(t, { clock: createFakeClock(start) });
  const { apiKey } = await addWebsite('a.test', null);
  for (const name of ['Connection', 'Proxy-Connection', 'proxy-connection']) {
    for (const value of ['close', 'Close', 'keep-alive', 'Keep-Alive', 'keep-alive, close', 'TE', '']) {
      const kept = await Promise.all(
        ['/api/page-view', '/api/page-view?a'].map(async (path) => {
          const headers = { Authorization: apiKey, [name]: value };
          const answer = await sendRaw(origin, requestText('POST', path, headers, body));
          return [answer?.status, answer?.headers.connection];
        }),
      );
      assert.deepEqual(kept[0], kept[1], `${name}: ${value}`);
      assert.deepEqual(kept[0], [200, /close/i.test(value) ? 'close' : 'keep-alive'], `${name}: ${value}`);
    }
  }
});

test(`${leaving} clients that leave in the middle of a body cause few log lines and no error`, async (t) => {
  const { origin, addWebsite, counts, messages, levels } = await startTestHttp(t, {
    clock: createFakeClock(start),
    routes: [wholeBodyRoute],
  });
  const { apiKey } = await addWebsite('a.test', null);
  const cut = { Authorization: apiKey, 'Content-Length': '5000' };
  const paths = ['/api/page-view', '/api/page-view?a', '/whole'];
  const beganMs = performance.now();
  for (let round = 0; round < leaving / 100; round += 1) {
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const connection = await openRaw(origin);
        connection.send(requestText('POST', paths[index % 3]!, cut, body));
        await new Promise(setImmediate);
        if (index % 2 === 0) connection.reset();
        else connection.destroy();
      }),
    );
  }
  await waitFor('all of them to be counted', () => (counts.refused.get('unfinished') ?? 0) >= leaving * 0.65);
  await waitFor('a line that says how many were left out', () =>
    messages.includes('more lines like this were omitted'),
  );
  assert.deepEqual([...new Set(levels)], [30]);
  // Ten lines of each kind a second.
  const most = Math.max(300, (33 * (performance.now() - beganMs)) / 1000);
  assert.ok(messages.length < most, `${messages.length} lines`);
  assert.ok(!messages.includes('a request failed'));
});

test('reads a body that arrives in pieces of one byte, and refuses one that is too large', async (t) => {
  const options = { clock: createFakeClock(start), routes: [wholeBodyRoute] };
  const { origin, messages } = await startTestHttp(t, options);
  const chunked = requestText('POST', '/whole', { 'Transfer-Encoding': 'chunked' });
  const ask = async (text: string) => {
    const { status, body: answer } = (await sendRaw(origin, text))!;
    return [status, JSON.parse(answer)];
  };
  const limit = 64 * 1024;
  const message = 'Body: expected at most 65536 bytes, got more';
  const tooLarge = [413, { code: 413, fault: 'body-too-large', message }];
  assert.deepEqual(await ask(`${chunked}${'1\r\nx\r\n'.repeat(limit)}0\r\n\r\n`), [200, { bytes: limit }]);
  const whole = `${limit.toString(16)}\r\n${'x'.repeat(limit)}\r\n`;
  assert.deepEqual(await ask(`${chunked}${whole}1\r\nx\r\n0\r\n\r\n`), tooLarge);
  assert.deepEqual(await ask(requestText('POST', '/whole', {}, 'x'.repeat(limit))), [200, { bytes: limit }]);
  assert.deepEqual(await ask(requestText('POST', '/whole', {}, 'x'.repeat(limit + 1))), tooLarge);
  assert.deepEqual(messages, []);
});

test('loses no answer on a connection that sends endless garbage after its requests', async (t) => {
  const { origin, addWebsite } = await startTestHttp(t, { clock: createFakeClock(start) });
  const { apiKey } = await addWebsite('a.test', null);
  const valid = requestText('POST', '/api/page-view', { Authorization: apiKey }, body);
  const connection = await openRaw(origin);
  connection.send(`${valid}${valid}\x01`);
  for (let chunk = 0; chunk < 100; chunk += 1) connection.send('\x01'.repeat(64 * 1024));
  const answers = await connection.untilClosed();
  connection.destroy();
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 400],
  );
});
