import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { openRaw, requestText, sendRaw } from '../../../test/support/raw-connection.ts';
import { pageView, post } from '../../../test/support/records.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { createFakeClock } from '../../control/test-control.ts';
import { startTestHttp } from '../test-http.ts';
import { takeWholeBodies } from './take-whole-bodies.ts';

const start = '2026-03-10T09:00:00Z';
const quick = { headersTimeout: 60, requestTimeout: 120, connectionsCheckingInterval: 20 };
const body = JSON.stringify(pageView());

/** Reads its body the way the routes of the application and of statistics do. */
const wholeBodyRouteAt = (path: string) => ({
  method: 'POST' as const,
  path,
  register(app: FastifyInstance) {
    app.register(async (scope) => {
      takeWholeBodies(scope, 64 * 1024);
      scope.post(path, (request) => ({ bytes: (request.body as Buffer).length }));
    });
  },
});
const wholeBodyRoute = wholeBodyRouteAt('/whole');

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
  await t.test('but a refused one whose body stays away is not answered twice', async () => {
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

test('sets its bounds on time, connections and headers', async (t) => {
  const { server } = await startTestHttp(t, { clock: createFakeClock(start) });
  const { headersTimeout, requestTimeout, keepAliveTimeout, maxConnections } = server;
  assert.deepEqual(
    { headersTimeout, requestTimeout, keepAliveTimeout, maxConnections },
    { headersTimeout: 15_000, requestTimeout: 30_000, keepAliveTimeout: 75_000, maxConnections: 20_000 },
  );
});

test('every answer to a key tells what is left of the contingent, and when it begins anew', async (t) => {
  const clock = createFakeClock('2026-03-31T23:58:59.500Z');
  const { origin, addWebsite, setContingent, counts } = await startTestHttp(t, { clock });
  const { id, apiKey } = await addWebsite('limited.test', 2);
  const send = async (path = '/api/page-view', sent: unknown = pageView()) => {
    const { status, headers } = await post(origin, path, apiKey, sent);
    const names = ['contingent-limit', 'contingent-remaining', 'contingent-reset', 'retry-after'];
    return [status, ...names.map((name) => headers.get(name))];
  };
  assert.deepEqual(await send(), [200, '2', '1', '61', null]);
  assert.deepEqual(await send('/api/event-view'), [400, '2', '1', '61', null]);
  assert.deepEqual(await send(), [200, '2', '0', '61', null]);
  assert.deepEqual(await send(), [429, '2', '0', '61', '61']);
  assert.deepEqual(await send('/api/page-view', {}), [400, '2', '0', '61', null]);
  await setContingent(id, 3);
  assert.deepEqual(await send(), [200, '3', '0', '61', null]);
  await setContingent(id, 1);
  assert.deepEqual(await send(), [429, '1', '0', '61', '61']);
  clock.pass(60_500);
  assert.deepEqual(await send(), [200, '1', '0', String(30 * 24 * 60 * 60), null]);
  assert.deepEqual(await send(), [429, '1', '0', '2592000', '2592000']);
  await setContingent(id, null);
  assert.deepEqual(await send(), [200, null, null, null, null]);
  assert.deepEqual(await send('/api/page-view', {}), [400, null, null, null, null]);
  assert.deepEqual(counts.accepted, { page_view: 5, event: 0 });
  assert.deepEqual(Object.fromEntries(counts.refused), { malformed: 3, 'contingent-used-up': 3 });
});

test('tells nothing of a contingent to a wrong key or method', async (t) => {
  const { origin, addWebsite } = await startTestHttp(t, { clock: createFakeClock(start) });
  const { apiKey } = await addWebsite('limited.test', 2);
  const wrong = await post(origin, '/api/page-view', 'x', pageView());
  const method = await fetch(`${origin}/api/page-view`, { headers: { Authorization: apiKey } });
  assert.deepEqual([wrong.status, method.status], [401, 405]);
  for (const { headers } of [wrong, method]) {
    assert.deepEqual(
      [...headers.keys()].filter((name) => name.startsWith('contingent')),
      [],
    );
  }
});

test('answers 503 with Retry-After while the journal is full, and does not count it', async (t) => {
  const options = { clock: createFakeClock(start), maxBytes: 1 };
  const { origin, addWebsite, counts } = await startTestHttp(t, options);
  const { apiKey } = await addWebsite('limited.test', 2);
  const { status, headers, body: answer } = await post(origin, '/api/page-view', apiKey, pageView());
  assert.deepEqual([status, answer.Code], [503, 503]);
  assert.deepEqual([headers.get('retry-after'), headers.get('contingent-remaining')], ['30', '2']);
  assert.deepEqual(Object.fromEntries(counts.refused), { 'journal-full': 1 });
});

test('answers a fault of its own with 503, logs it, and goes on', async (t) => {
  const health = () => {
    throw new Error('broken on purpose');
  };
  const { origin, messages, addWebsite } = await startTestHttp(t, { clock: createFakeClock(start), health });
  const response = await fetch(`${origin}/health`);
  assert.equal(response.status, 503);
  assert.equal(response.headers.get('retry-after'), '5');
  assert.deepEqual(await response.json(), { Code: 503, Message: 'Internal fault: try again' });
  assert.ok(messages.includes('a request failed'));
  const { apiKey } = await addWebsite('a.test', null);
  assert.equal((await post(origin, '/api/page-view', apiKey, pageView())).status, 200);
});

test('health is 503 while records are not accepted, and names what is degraded', async (t) => {
  const degraded = [{ part: 'journal', why: 'full' }];
  const health = () => ({ isAccepting: false, degraded });
  const { origin } = await startTestHttp(t, { clock: createFakeClock(start), health });
  const response = await fetch(`${origin}/health`);
  assert.equal(response.status, 503);
  assert.equal(response.headers.get('retry-after'), '5');
  assert.deepEqual(await response.json(), {
    Code: 503,
    Message: 'Not accepting records',
    Degraded: degraded,
    Journal: { oldestUnansweredSeconds: 0 },
    Loader: {
      lagSeconds: 0,
      waitingBytes: 0,
      batchesToCompare: 0,
      batchesToLoadAgain: 0,
      recordsToLoadAgain: 0,
    },
  });
});

test('answers a request for an upgrade like any other, and closes behind it', async (t) => {
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

test('keeps and closes connections alike, whichever way a request goes', async (t) => {
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

test('2,000 clients that leave in the middle of a body are a few lines, and none of them an error', async (t) => {
  const { origin, addWebsite, counts, messages, levels } = await startTestHttp(t, {
    clock: createFakeClock(start),
    routes: [wholeBodyRoute],
  });
  const { apiKey } = await addWebsite('a.test', null);
  const cut = { Authorization: apiKey, 'Content-Length': '5000' };
  const paths = ['/api/page-view', '/api/page-view?a', '/whole'];
  for (let round = 0; round < 20; round += 1) {
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
  await waitFor('all of them to be counted', () => (counts.refused.get('unfinished') ?? 0) >= 1300);
  await waitFor('a line that says how many were left out', () =>
    messages.includes('more lines like this were left out'),
  );
  assert.deepEqual([...new Set(levels)], [30]);
  assert.ok(messages.length < 300, `${messages.length} lines`);
  assert.ok(!messages.includes('a request failed'));
});

test('reads a body that comes in pieces of one byte, and refuses one that is too large', async (t) => {
  const options = { clock: createFakeClock(start), routes: [wholeBodyRoute] };
  const { origin, messages } = await startTestHttp(t, options);
  const chunked = requestText('POST', '/whole', { 'Transfer-Encoding': 'chunked' });
  const ask = async (text: string) => {
    const { status, body: answer } = (await sendRaw(origin, text))!;
    return [status, JSON.parse(answer)];
  };
  const tooLarge = [413, { Code: 413, Message: 'Body: expected a smaller one' }];
  const limit = 64 * 1024;
  assert.deepEqual(await ask(`${chunked}${'1\r\nx\r\n'.repeat(limit)}0\r\n\r\n`), [200, { bytes: limit }]);
  assert.deepEqual(await ask(`${chunked}${'1\r\nx\r\n'.repeat(limit + 1)}0\r\n\r\n`), tooLarge);
  assert.deepEqual(await ask(requestText('POST', '/whole', {}, 'x'.repeat(limit))), [200, { bytes: limit }]);
  assert.deepEqual(await ask(requestText('POST', '/whole', {}, 'x'.repeat(limit + 1))), tooLarge);
  assert.deepEqual(messages, []);
});

test('a Content-Type that is none is refused in words, and is no fault of ours', async (t) => {
  const { origin, messages } = await startTestHttp(t, {
    clock: createFakeClock(start),
    routes: [wholeBodyRoute],
  });
  for (const type of ['garbage', '', '/', ';', 'a'.repeat(500)]) {
    const answer = await sendRaw(origin, requestText('POST', '/whole', { 'Content-Type': type }, '{}'));
    assert.deepEqual(JSON.parse(answer!.body), {
      Code: 415,
      Message: 'Content-Type: expected application/json',
    });
  }
  assert.deepEqual(messages, []);
});

test('what no route answers has the code of its fault where an API is asked, and nowhere else', async (t) => {
  const routes = [wholeBodyRoute, wholeBodyRouteAt('/api/things/:id')];
  const { origin } = await startTestHttp(t, { clock: createFakeClock(start), routes });
  const ask = async (text: string) => {
    const { Code, Message, ...more } = JSON.parse((await sendRaw(origin, text))!.body);
    return { code: Code, says: typeof Message, ...more };
  };
  const large = 'x'.repeat(70_000);
  for (const [method, rest, type, text, code, fault] of [
    ['POST', '/1', 'application/json', large, 413, 'body-too-large'],
    ['POST', '/1', 'garbage', '{}', 415, 'unsupported-type'],
    ['PUT', '/1?a', 'application/json', '{}', 405, 'method-not-allowed'],
    ['POST', '/1/nowhere', 'application/json', '{}', 404, 'not-found'],
    ['POST', '/%zz', 'application/json', '{}', 404, 'not-found'],
  ] as const) {
    const asked = requestText(method, `/api/things${rest}`, { 'Content-Type': type }, text);
    assert.deepEqual(await ask(asked), { code, says: 'string', fault });
  }
  for (const path of ['/whole/nowhere', '/api/thing', '/api/page-views', '/api'])
    assert.deepEqual(await ask(requestText('POST', path, {}, '{}')), { code: 404, says: 'string' });
});

test('no answer is lost when the server owes one on a connection that then sends garbage without end', async (t) => {
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

test('answers a full disk with 503 and says so', async (t) => {
  const health = () => {
    const database = new DatabaseSync(':memory:');
    database.exec('create table t (text); pragma max_page_count = 3');
    database.exec('insert into t values (zeroblob(1000000))');
    throw new Error('expected the insert to fail');
  };
  const { origin, messages } = await startTestHttp(t, { clock: createFakeClock(start), health });
  const response = await fetch(`${origin}/health`);
  assert.equal(response.status, 503);
  assert.equal(response.headers.get('retry-after'), '30');
  const { Message } = (await response.json()) as { Message: string };
  assert.match(Message, /^The server's disk is full/);
  assert.match(messages.join('\n'), /^The disk is full: /m);
});
