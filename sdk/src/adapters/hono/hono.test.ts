import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Hono } from 'hono';
import { browserPost, collected } from '../test-request.ts';
import { createTestTracker } from '../test-tracker.ts';
import { trackside } from './hono.ts';

function toRequest(body: unknown, path = '/side'): Request {
  const { method, headers, body: text } = browserPost(body);
  return new Request(`https://shop.example${path}`, {
    method: method!,
    headers: headers as Record<string, string>,
    body: text as string,
  });
}
const peer = () => '192.0.2.7';

describe('in Hono', { timeout: 300_000 }, () => {
  test('takes the address from the option peer', async () => {
    const tracker = createTestTracker();
    const app = new Hono().use(trackside({ trackside: tracker.trackside, peer }));
    assert.equal((await app.fetch(toRequest(collected))).status, 204);
    assert.equal((await tracker.until(1))[0]?.metrics.Browser.IP, '192.0.2.7');
  });

  test('records nothing and says what to set where no address is known', async () => {
    const { trackside: tracker, records } = createTestTracker();
    const faults: unknown[] = [];
    const app = new Hono();
    app.use(
      trackside({
        trackside: tracker,
        peer: () => assert.fail('no connection here'),
        onError: (fault) => faults.push(fault),
      }),
    );
    for (let n = 0; n < 3; n += 1) assert.equal((await app.fetch(toRequest(collected))).status, 204);
    assert.deepEqual(records, []);
    assert.equal(faults.length, 1);
    assert.match(String(faults[0]), /set proxies/);
  });

  test('reads a body that a middleware has already read', async () => {
    const tracker = createTestTracker();
    const app = new Hono();
    app.use(async (c, next) => {
      await c.req.json();
      await next();
    });
    app.use(trackside({ trackside: tracker.trackside, peer }));
    assert.equal((await app.fetch(toRequest(collected))).status, 204);
    await tracker.until(1);
    const large = await app.fetch(toRequest({ ...collected, More: 'x'.repeat(33_000) }));
    assert.equal(large.status, 413);
  });

  test('keeps the runtime alive until the record is handed over', async () => {
    const { trackside: tracker, records } = createTestTracker();
    const kept: Promise<unknown>[] = [];
    const context = {
      waitUntil: (work: Promise<unknown>) => void kept.push(work),
      passThroughOnException() {},
      props: {},
    };
    const app = new Hono();
    app.use(trackside({ trackside: tracker, peer, clientId: async (c) => c.req.path }));
    await app.fetch(toRequest(collected), {}, context);
    await Promise.all(kept);
    assert.deepEqual([kept.length, records.length], [1, 1]);
    assert.equal(records[0]?.metrics.Identify.ClientId, '/side');
  });

  test('is found below a base path by its whole path', async () => {
    const tracker = createTestTracker();
    const shop = new Hono().use(trackside({ trackside: tracker.trackside, peer, path: '/shop/side' }));
    const app = new Hono().route('/shop', shop);
    assert.equal((await app.fetch(toRequest(collected, '/shop/side'))).status, 204);
    await tracker.until(1);
  });
});
