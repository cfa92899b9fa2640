import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { requestText, sendRaw } from '../../../test/support/raw-connection.ts';
import { pageView, post } from '../../../test/support/records.ts';
import { createFakeClock } from '../../control/test-control.ts';
import { startTestHttp } from '../test-http.ts';
import { wholeBodyRouteAt } from './test-whole-body.ts';

const start = '2026-03-10T09:00:00Z';

const wholeBodyRoute = wholeBodyRouteAt('/whole');

test('every answer to a key says what is left of the contingent, and when it resets', async (t) => {
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

test('says nothing about a contingent to a wrong key or method', async (t) => {
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

test('answers its own fault with 503, logs it, and continues', async (t) => {
  const health = () => {
    throw new Error('broken on purpose');
  };
  const { origin, messages, addWebsite } = await startTestHttp(t, { clock: createFakeClock(start), health });
  const response = await fetch(`${origin}/health`);
  assert.equal(response.status, 503);
  assert.equal(response.headers.get('retry-after'), '5');
  assert.deepEqual(await response.json(), {
    code: 503,
    fault: 'internal',
    message: 'Internal fault: try again',
  });
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
    code: 503,
    message: 'Not accepting records',
    degraded,
    journal: { oldestUnansweredSeconds: 0 },
    loader: {
      lagSeconds: 0,
      waitingBytes: 0,
      batchesToCompare: 0,
      batchesToLoadAgain: 0,
      recordsToLoadAgain: 0,
    },
  });
});

test('refuses an invalid Content-Type with a message, and not as our own fault', async (t) => {
  const { origin, messages } = await startTestHttp(t, {
    clock: createFakeClock(start),
    routes: [wholeBodyRoute],
  });
  for (const type of ['garbage', '', '/', ';', 'a'.repeat(500)]) {
    const answer = await sendRaw(origin, requestText('POST', '/whole', { 'Content-Type': type }, '{}'));
    assert.deepEqual(JSON.parse(answer!.body), {
      code: 415,
      fault: 'unsupported-type',
      message: 'Content-Type: expected application/json',
    });
  }
  assert.deepEqual(messages, []);
});

test('unknown paths below an API get the shape of our faults, and others do not', async (t) => {
  const routes = [wholeBodyRoute, wholeBodyRouteAt('/api/things/:id')];
  const { origin } = await startTestHttp(t, { clock: createFakeClock(start), routes });
  const ask = async (text: string) => JSON.parse((await sendRaw(origin, text))!.body);
  const large = 'x'.repeat(70_000);
  for (const [method, rest, type, text, code, fault] of [
    ['POST', '/1', 'application/json', large, 413, 'body-too-large'],
    ['POST', '/1', 'garbage', '{}', 415, 'unsupported-type'],
    ['PUT', '/1?a', 'application/json', '{}', 405, 'method-not-allowed'],
    ['POST', '/1/nowhere', 'application/json', '{}', 404, 'not-found'],
    ['POST', '/%zz', 'application/json', '{}', 404, 'not-found'],
  ] as const) {
    const asked = requestText(method, `/api/things${rest}`, { 'Content-Type': type }, text);
    const { message, ...others } = await ask(asked);
    assert.deepEqual({ says: typeof message, ...others }, { says: 'string', code, fault });
  }
  for (const path of ['/whole/nowhere', '/api/thing', '/api/page-views', '/api'])
    assert.deepEqual(await ask(requestText('POST', path, {}, '{}')), {
      Code: 404,
      Message: 'Not found: this path does not exist',
    });
});

test('suggests the right path when there is a slash too many', async (t) => {
  const { origin } = await startTestHttp(t, { clock: createFakeClock(start), routes: [] });
  for (const path of ['//api/page-view', '/api/page-view/', '/API/Page-View', '/api//page-view?a=b']) {
    const { body } = (await sendRaw(origin, requestText('POST', path, {}, '{}')))!;
    const Message = 'Not found: send this to /api/page-view, spelled like this';
    assert.deepEqual(JSON.parse(body), { Code: 404, Message }, path);
  }
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
  const { message } = (await response.json()) as { message: string };
  assert.match(message, /^The server's disk is full/);
  assert.match(messages.join('\n'), /^The disk is full: /m);
});
