import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createRequest } from './create-request.ts';
import type { Answer } from './fault.ts';
import { sessionAccess, shareAccess } from './stats-access.ts';
import { createStatsApi } from './stats-api.ts';

async function serve(t: TestContext, answer: RequestListener) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  t.after(() => server.close().closeAllConnections());
  const gate = {
    asked: 0,
    async ask() {
      gate.asked += 1;
      return false;
    },
  };
  const send = createRequest({
    fetch: (path, init) => fetch(origin + path, init),
    connection: { report: () => {} },
    gate,
  });
  return { api: createStatsApi(send), gate };
}

const questions = [
  { kind: 'query', question: { period: '7d' } },
  { kind: 'bots', question: { period: '7d' } },
] as const;

test('reports each answer as its line arrives, however the stream is split', async (t) => {
  const { api } = await serve(t, async (request, response) => {
    assert.equal(request.headers['trackside-website'], '7');
    assert.deepEqual(JSON.parse((await request.toArray()).join('')), { questions });
    response.write('{"index":1,"code":503,"fault":"busy","message":"Away","retryAf');
    setTimeout(() => {
      response.end('terSeconds":4}\n{"index":0,"code":200,"answer":{"asOf":"now ü"}}\n');
    }, 5);
  });
  const told: [number, Answer<unknown>][] = [];
  await api.batch(sessionAccess(7), questions, (index, answer) => told.push([index, answer]));
  assert.deepEqual(told, [
    [1, { isOk: false, fault: { kind: 'unavailable', message: 'Away', waitSeconds: 4, code: 'busy' } }],
    [0, { isOk: true, value: { asOf: 'now ü' } }],
  ]);
});

test('when the connection breaks, only the unanswered questions get its fault', async (t) => {
  const { api } = await serve(t, (_, response) => {
    response.write('{"index":0,"code":200,"answer":{}}\n{"ind');
    setTimeout(() => response.destroy(), 5);
  });
  const told: number[] = [];
  const fault = await api.batch(sessionAccess(7), questions, (index) => told.push(index));
  assert.deepEqual(told, [0]);
  assert.equal(fault.kind, 'unreachable');
});

test('never asks to sign in to a public link', async (t) => {
  const { api, gate } = await serve(t, (_, response) => {
    response.writeHead(401).end('{"code":401,"fault":"unauthorized","message":"No"}');
  });
  const fault = await api.batch(shareAccess('token'), questions, () => {});
  assert.deepEqual(fault, { kind: 'signed-out', message: 'No', code: 'unauthorized' });
  assert.equal(gate.asked, 0);
});

test('fetches rows as a file', async (t) => {
  const { api } = await serve(t, (request, response) => {
    assert.equal(request.headers.accept, 'text/csv');
    assert.equal(request.url, '/api/stats/query');
    response.end('source,visitors\n');
  });
  const answer = await api.csv(sessionAccess(7), { period: '7d' });
  assert.ok(answer.isOk);
  assert.equal(await answer.value.text(), 'source,visitors\n');
});
