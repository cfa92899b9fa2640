import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestText, sendRaw } from '../../../test/support/raw-connection.ts';
import { createFakeClock } from '../../control/test-control.ts';
import { startTestHttp } from '../test-http.ts';

const clock = () => createFakeClock('2026-03-10T09:00:00Z');

/** Sends exactly these header lines. */
async function statusOf(origin: string, lines: string[], target = '/metrics'): Promise<number | undefined> {
  const text = [`GET ${target} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  return (await sendRaw(origin, text))?.status;
}

test('answers this machine, under one of its own names or none', async (t) => {
  const { origin } = await startTestHttp(t, { clock: clock() });
  for (const host of ['localhost', 'LOCALHOST:8080', '127.0.0.1', '127.0.0.1:8080', '127.1.2.3', '[::1]:80'])
    assert.equal(await statusOf(origin, [`Host: ${host}`]), 200, host);
  assert.equal(await statusOf(origin, []), 200);
  assert.equal(await statusOf(origin, ['Host: localhost', 'Accept: */*', 'X-Request-Id: 7', 'DNT: 1']), 200);
});

test('does not answer a proxy on this machine, whatever it says, even if it says nothing', async (t) => {
  const { origin } = await startTestHttp(t, { clock: clock() });
  const names = `
    Forwarded X-Forwarded-For X-Forwarded-Proto X-Forwarded-Host X-Forwarded-Port
    X-Forwarded Forwarded-For X-Real-IP Via CF-Connecting-IP CF-Ray True-Client-IP
    X-Client-IP Client-IP X-Cluster-Client-IP X-Original-For X-Original-URL
    Fastly-Client-IP Fly-Client-IP X-Envoy-External-Address X-Azure-ClientIP
    X-Amzn-Trace-Id X-Appengine-User-IP X-Cloud-Trace-Context CDN-Loop
  `
    .trim()
    .split(/\s+/);
  for (const name of names) {
    for (const value of ['', ' ', '127.0.0.1', 'for=127.0.0.1', '::1', 'unknown']) {
      const [host, line] = ['Host: localhost', `${name}: ${value}`];
      assert.equal(await statusOf(origin, [host, line]), 401, line);
    }
    const twice = ['Host: localhost', `${name}:`, `${name.toLowerCase()}: 127.0.0.1`];
    assert.equal(await statusOf(origin, twice), 401, `${name} twice`);
  }
});

test('does not answer a browser on this machine that was led here under another name', async (t) => {
  const { origin } = await startTestHttp(t, { clock: clock() });
  const names = ['evil.example', 'evil.example:8080', 'localhost.evil.example', '127.0.0.1.evil.example', ''];
  for (const host of [...names, 'evil-localhost', '10.0.0.7', '[::2]', '128.0.0.1', 'localhost@evil.example'])
    assert.equal(await statusOf(origin, [`Host: ${host}`]), 401, host);
  assert.equal(await statusOf(origin, ['Host: localhost', 'Host: evil.example']), 401);
  assert.equal(await statusOf(origin, ['Host: localhost'], 'http://evil.example/metrics'), 401);
});

test('answers anyone who has the token', async (t) => {
  const { origin } = await startTestHttp(t, { clock: clock(), metricsToken: 'let-me-in' });
  const ask = async (Authorization: string) => {
    const headers = { Host: 'track.example.com', 'X-Forwarded-For': '203.0.113.7', Authorization };
    return (await sendRaw(origin, requestText('GET', '/metrics', headers)))?.status;
  };
  assert.equal(await ask('Bearer let-me-in'), 200);
  for (const wrong of ['let-me-in', 'Bearer let-me-i', 'Bearer', 'Bearer LET-ME-IN', ''])
    assert.equal(await ask(wrong), 401, wrong);
});

test('without a configured token, no token is accepted', async (t) => {
  const { origin } = await startTestHttp(t, { clock: clock() });
  for (const authorization of ['Bearer', 'Bearer ', 'Bearer undefined', ''])
    assert.equal(await statusOf(origin, ['Via: 1.1 a', `Authorization: ${authorization}`]), 401);
});
