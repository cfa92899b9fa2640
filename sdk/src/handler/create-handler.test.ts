import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Tracker } from '../client/tracker.ts';
import { createHandler } from './create-handler.ts';
import type { HandlerOptions } from './handler-options.ts';
import { makeIncoming } from './test-incoming.ts';

const body = JSON.stringify({ Absolute: 'https://shop.example/' });
const headers = { origin: 'https://shop.example' };

function start(options: Partial<HandlerOptions> = {}) {
  const recorded: unknown[] = [];
  const faults: unknown[] = [];
  const trackside: Tracker = {
    trackPageView: (metrics) => void recorded.push(metrics),
    trackEvent: (name) => void recorded.push(name),
  };
  const handler = createHandler({ trackside, onError: (fault) => faults.push(fault), ...options });
  const post = (more: Parameters<typeof makeIncoming>[0] = {}) =>
    handler.handle(makeIncoming({ method: 'POST', headers, readText: async () => body, ...more }), undefined);
  return { handler, post, recorded, faults };
}

describe('the endpoint', () => {
  test('is at its path, even with a trailing slash, and nowhere else', () => {
    const { handler } = start({ path: '/shop/side' });
    for (const path of ['/shop/side', '/shop/side/']) assert.equal(handler.matches(path), true);
    for (const path of ['/ä', '/%C3%A4/']) assert.equal(start({ path: '/ä' }).handler.matches(path), true);
    for (const path of ['/', '/side', '/shop/side/x', '/shop/sides', '/SHOP/side'])
      assert.equal(handler.matches(path), false);
  });

  for (const [name, options, text] of [
    ['a client that is none', { trackside: {} as never }, /^trackside: expected the client, /],
    ['a path without a slash', { path: 'side' }, /^path: expected a path that begins with "\/"/],
    ['a path with a query', { path: '/side?x' }, /^path: /],
    ['a language of three letters', { language: 'deu' }, /^language: expected two letters/],
    [
      'one origin instead of a list',
      { origins: 'https://shop.example' as never },
      /^origins: expected a list /,
    ],
    ['an origin that is none', { origins: ['shop.example'] }, /^origins\[0\]: /],
    ['a limit of none', { rateLimit: { perMinute: 0 } }, /^rateLimit\.perMinute: /],
    ['proxies that are none', { proxies: { hops: -1 } }, /^proxies\.hops: /],
  ] as const) {
    test(`does not start with ${name}`, () => {
      assert.throws(() => start(options), { message: text });
    });
  }

  test('gives up on a body that does not arrive within ten seconds', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { post, recorded } = start();
    const answer = post({ readText: () => new Promise(() => {}) });
    await new Promise(setImmediate);
    t.mock.timers.tick(10_000);
    assert.equal((await answer).status, 400);
    assert.deepEqual(recorded, []);
  });

  test('reads nothing of a body that it refuses anyway', async () => {
    const { post } = start({ respectDoNotTrack: true, rateLimit: { perMinute: 1 } });
    const readText = () => assert.fail('was read');
    assert.equal((await post({ readText, headers: {} })).status, 403);
    assert.equal((await post({ readText, headers: { ...headers, dnt: '1' } })).status, 204);
    assert.equal((await post()).status, 204);
    assert.equal((await post({ readText })).status, 429);
  });

  test('reports once a minute that the visitor’s address is unknown', async (t) => {
    let nowMs = 0;
    t.mock.method(performance, 'now', () => nowMs);
    const { post, recorded, faults } = start();
    for (const atMs of [0, 59_000, 61_000]) {
      nowMs = atMs;
      assert.equal((await post({ peer: undefined })).status, 204);
    }
    assert.deepEqual([recorded.length, faults.length], [0, 2]);
    assert.match(String(faults[0]), /set proxies/);
    assert.equal((await post({ peer: undefined, readText: async () => '{}' })).status, 400);
  });

  test('answers 204 when the client throws, and reports it', async () => {
    const trackPageView = () => {
      throw new Error('closed');
    };
    const { post, faults } = start({ trackside: { trackPageView, trackEvent() {} } });
    assert.equal((await post()).status, 204);
    await new Promise(setImmediate);
    assert.match(String(faults), /closed/);
  });

  test('answers even if onError fails', async () => {
    for (const onError of [() => assert.fail('sync'), () => Promise.reject(new Error('async'))]) {
      assert.equal((await start({ onError }).post({ peer: undefined })).status, 204);
    }
    await new Promise(setImmediate);
  });

  test('turns its own fault into a 204 and reports it', async () => {
    const { handler, faults } = start();
    const broken = { ...makeIncoming({ method: 'POST' }), header: () => assert.fail('broken adapter') };
    assert.equal((await handler.handle(broken, undefined)).status, 204);
    assert.match(String(faults), /broken adapter/);
  });

  test('shares the script with listed origins, and only then', async () => {
    const policy = async (origins: string[]) =>
      (await start({ origins }).handler.handle(makeIncoming(), undefined)).headers[
        'Cross-Origin-Resource-Policy'
      ];
    assert.equal(await policy([]), 'same-origin');
    assert.equal(await policy(['https://www.shop.example']), 'cross-origin');
  });
});
