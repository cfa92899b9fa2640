import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { createFakeClock } from '../../control/test-control.ts';
import { startTestHttp } from '../test-http.ts';

async function statusOf(origin: string, headers: Record<string, string>): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  request(`${origin}/metrics`, { headers, agent: false }, (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  })
    .on('error', reject)
    .end();
  return promise;
}

const clock = () => createFakeClock('2026-03-10T09:00:00Z');

test('answers this machine, but not a proxy on it that speaks for others', async (t) => {
  const { origin } = await startTestHttp(t, { clock: clock() });
  assert.equal(await statusOf(origin, {}), 200);
  const proxied = {
    'X-Forwarded-For': '203.0.113.7',
    Forwarded: 'for=203.0.113.7',
    'X-Real-IP': '203.0.113.7',
    Via: '1.1 a',
  };
  for (const [name, value] of Object.entries(proxied))
    assert.equal(await statusOf(origin, { [name]: value }), 401);
  assert.equal(await statusOf(origin, { 'X-Forwarded-For': '127.0.0.1', Authorization: 'Bearer ' }), 401);
  assert.equal(
    await statusOf(origin, { 'X-Forwarded-For': '127.0.0.1', Authorization: 'Bearer undefined' }),
    401,
  );
});

test('answers anyone who has the token', async (t) => {
  const { origin } = await startTestHttp(t, { clock: clock(), metricsToken: 'let-me-in' });
  const ask = (Authorization: string) =>
    statusOf(origin, { 'X-Forwarded-For': '203.0.113.7', Authorization });
  assert.equal(await ask('Bearer let-me-in'), 200);
  for (const wrong of ['let-me-in', 'Bearer let-me-i', 'Bearer', 'Bearer LET-ME-IN', ''])
    assert.equal(await ask(wrong), 401, wrong);
});
