import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Tracker } from '../../client/tracker.ts';
import { createRoute } from '../next/next.ts';
import { browserPost, collected } from '../test-request.ts';
import { createTestTracker } from '../test-tracker.ts';
import { countPages, createWebHandler } from './web.ts';

function toRequest(url: string, headers: Record<string, string> = {}, body: unknown = collected): Request {
  const post = browserPost(body, headers);
  return new Request(url, {
    method: 'POST',
    headers: post.headers as Record<string, string>,
    body: post.body as string,
  });
}

describe('with Request and Response', { timeout: 300_000 }, () => {
  test('returns undefined for a path that is not its own', async () => {
    const { trackside, records } = createTestTracker();
    const handle = createWebHandler({ trackside });
    for (const url of [
      'https://shop.example',
      'https://shop.example/sides',
      'https://shop.example/?/side',
      'https://side/',
    ]) {
      assert.equal(await handle(toRequest(url)), undefined);
    }
    assert.deepEqual(records, []);
  });

  test('answers before the record is made, and hands the rest to waitUntil', async () => {
    const { trackside, records } = createTestTracker();
    let tell = (_id: string) => {};
    const asked = new Promise<string>((resolve) => {
      tell = resolve;
    });
    const handle = createWebHandler({ trackside, clientId: () => asked });
    const kept: Promise<unknown>[] = [];
    const context = { peer: '192.0.2.7', waitUntil: (work: Promise<unknown>) => void kept.push(work) };
    const answer = await handle(toRequest('https://shop.example/side'), context);
    assert.deepEqual([answer?.status, records.length, kept.length], [204, 0, 1]);
    tell('a-17');
    await kept[0];
    assert.equal(records[0]?.metrics.Identify.ClientId, 'a-17');
  });

  test('passes waitUntil to the client too, for the request to Trackside', async () => {
    const given: unknown[] = [];
    const trackside: Tracker = {
      trackPageView: (_metrics, options) => given.push(options),
      trackEvent: () => {},
    };
    const waitUntil = (work: Promise<unknown>) => void kept.push(work);
    const kept: Promise<unknown>[] = [];
    await createWebHandler({ trackside })(toRequest('https://shop.example/side'), {
      peer: '192.0.2.7',
      waitUntil,
    });
    await kept[0];
    assert.deepEqual(given, [{ waitUntil }]);
  });

  test('reports a waitUntil that throws, and still records', async () => {
    const tracker = createTestTracker();
    const faults: unknown[] = [];
    const handle = createWebHandler({ trackside: tracker.trackside, onError: (fault) => faults.push(fault) });
    const waitUntil = () => assert.fail('Illegal invocation');
    const answer = await handle(toRequest('https://shop.example/side'), { peer: '192.0.2.7', waitUntil });
    assert.equal(answer?.status, 204);
    await tracker.until(1);
    assert.match(String(faults), /Illegal invocation/);
  });

  test('answers 400 when the body is already used or breaks off', async () => {
    const { trackside, records } = createTestTracker();
    const handle = createWebHandler({ trackside });
    const used = toRequest('https://shop.example/side');
    await used.text();
    assert.equal((await handle(used, { peer: '192.0.2.7' }))?.status, 400);
    const broken = new Request('https://shop.example/side', {
      method: 'POST',
      headers: { origin: 'https://shop.example' },
      body: new ReadableStream({ pull: (controller) => controller.error(new Error('gone')) }),
      duplex: 'half',
    });
    assert.equal((await handle(broken, { peer: '192.0.2.7' }))?.status, 400);
    assert.deepEqual(records, []);
  });

  test('passes an answer through unchanged while it counts it', async () => {
    const tracker = createTestTracker();
    const count = countPages({ trackside: tracker.trackside });
    const response = new Response('<h1>', { headers: { 'content-type': 'text/html' } });
    const request = new Request('https://shop.example/shoes', { headers: { 'accept-language': 'pt-BR' } });
    assert.equal(count(request, response, { peer: '192.0.2.7' }), response);
    assert.equal(response.bodyUsed, false);
    assert.equal((await tracker.until(1))[0]?.metrics.Language.Code, 'pt');
  });
});

describe('as a route of Next.js', { timeout: 300_000 }, () => {
  test('uses Host, because the address contains the name that the server listens on', async () => {
    const tracker = createTestTracker();
    const { POST } = createRoute({ trackside: tracker.trackside, proxies: { header: 'x-real-ip' } });
    const headers = { 'X-Real-IP': '192.0.2.7', 'Sec-Fetch-Site': 'none' };
    assert.equal((await POST(toRequest('https://localhost:3000/any/where', headers))).status, 204);
    await tracker.until(1);
  });

  test('hands the rest to after', async () => {
    const { trackside, records } = createTestTracker();
    const kept: Promise<unknown>[] = [];
    const after = (work: Promise<unknown>) => void kept.push(work);
    const { POST } = createRoute({ trackside, after, proxies: { header: 'x-real-ip' } });
    await POST(toRequest('https://shop.example/side', { 'X-Real-IP': '192.0.2.7' }));
    await Promise.all(kept);
    assert.equal(records.length, 1);
  });
});
