import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createRequest } from './create-request.ts';

async function serve(t: TestContext, answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  t.after(() => server.close());
  const reports: boolean[] = [];
  const gate = {
    asked: 0,
    async ask() {
      gate.asked += 1;
      return true;
    },
  };
  const send = createRequest({
    fetch: (path, init) => fetch(origin + path, init),
    connection: { report: (isReached) => void reports.push(isReached) },
    gate,
  });
  return { send, reports, gate, server };
}

const json = (status: number, body: unknown, headers = {}): RequestListener => {
  return (_, response) => response.writeHead(status, headers).end(JSON.stringify(body));
};

async function faultOf(t: TestContext, answer: RequestListener) {
  const { send } = await serve(t, answer);
  const result = await send('GET', '/api/x', undefined, { isSigningIn: true });
  assert.equal(result.isOk, false);
  return result.isOk ? undefined : result.fault;
}

test('sends a change as JSON, even without a body', async (t) => {
  const seen: unknown[] = [];
  const { send } = await serve(t, async (request, response) => {
    seen.push([request.method, request.headers['content-type'], (await request.toArray()).join('')]);
    response.end('{}');
  });
  await send('DELETE', '/api/session');
  await send('POST', '/api/x', { a: 1 });
  assert.deepEqual(seen, [
    ['DELETE', 'application/json', '{}'],
    ['POST', 'application/json', '{"a":1}'],
  ]);
});

test('says which field is wrong', async (t) => {
  const fields = { domain: 'Taken.' };
  const fault = await faultOf(t, json(400, { code: 400, fault: 'already-exists', message: 'No', fields }));
  assert.deepEqual(fault, { kind: 'invalid', message: 'No', code: 'already-exists', fields });
});

test('says how long to wait', async (t) => {
  const fault = await faultOf(t, json(429, { code: 429, message: 'Wait' }, { 'Retry-After': '42' }));
  assert.deepEqual(fault, { kind: 'throttled', message: 'Wait', code: undefined, waitSeconds: 42 });
});

test('passes on what another admin has saved', async (t) => {
  const fault = await faultOf(t, json(409, { code: 409, message: 'Changed', current: { version: 2 } }));
  assert.deepEqual(fault, { kind: 'conflict', message: 'Changed', code: undefined, current: { version: 2 } });
});

test('distinguishes an engine that is away from a node that is away', async (t) => {
  assert.equal((await faultOf(t, json(503, { code: 503, message: 'Starting' })))?.kind, 'unavailable');
  assert.equal(
    (await faultOf(t, (_, response) => response.writeHead(503).end('<h1>Bad gateway</h1>')))?.kind,
    'unreachable',
  );
  assert.equal((await faultOf(t, (_, response) => response.writeHead(502).end()))?.kind, 'unreachable');
});

test('reports a lost connection, and that it is back', async (t) => {
  let isBroken = true;
  const { send, reports } = await serve(t, (request, response) =>
    isBroken ? void request.socket.destroy() : void response.end('{}'),
  );
  const answer = await send('GET', '/api/x');
  assert.equal(answer.isOk ? undefined : answer.fault.kind, 'unreachable');
  isBroken = false;
  await send('GET', '/api/x');
  assert.deepEqual(reports, [false, true]);
});

test('asks to sign in when the session has expired, then sends the request again', async (t) => {
  const bodies: string[] = [];
  const { send, gate } = await serve(t, async (request, response) => {
    bodies.push((await request.toArray()).join(''));
    response.writeHead(bodies.length === 1 ? 401 : 200).end('{}');
  });
  const answer = await send('PATCH', '/api/websites/1', { name: 'Shop' });
  assert.equal(answer.isOk, true);
  assert.equal(gate.asked, 1);
  assert.deepEqual(bodies, ['{"name":"Shop"}', '{"name":"Shop"}']);
});

test('a wrong password is an answer, not an expired session', async (t) => {
  const { send, gate } = await serve(t, json(401, { code: 401, message: 'Not right' }));
  const answer = await send('POST', '/api/session', {}, { isSigningIn: true });
  assert.equal(answer.isOk ? undefined : answer.fault.message, 'Not right');
  assert.equal(gate.asked, 0);
});

test('an aborted request is not a lost connection', async (t) => {
  const { send, reports } = await serve(t, () => {});
  const aborter = new AbortController();
  const pending = send('GET', '/api/x', undefined, { signal: aborter.signal });
  aborter.abort();
  await assert.rejects(pending, { name: 'AbortError' });
  assert.deepEqual(reports, []);
});
