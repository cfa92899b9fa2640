import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import fc from 'fast-check';
import type { TrackFault, TrackFaultKind } from '../faults/track-fault.ts';
import { makeMetrics, pageOf, testIp, testKey } from '../record/test-metrics.ts';
import type { TracksideOptions } from './options/trackside-options.ts';
import { answer, answerPage, cut, hang, startTestServer, type TestServer } from './test-server.ts';
import { waitFor } from './test-wait.ts';
import { Trackside } from './trackside-on-node.ts';

async function start(t: TestContext, options: Partial<TracksideOptions> = {}) {
  const server = await startTestServer(t);
  const faults: TrackFault[] = [];
  const trackside = new Trackside({
    url: server.url,
    apiKey: testKey,
    onError: (fault) => faults.push(fault),
    ...options,
  });
  t.after(() => trackside.close({ withinMs: 0 }));
  return { server, trackside, faults };
}

const page = (index: number) => `https://shop.example/${index}`;
const pagesOf = (server: TestServer) => server.requests.map(({ body }) => pageOf(body));

test('sends a page view and an event, and returns the answer', async (t) => {
  const { server, trackside } = await start(t);
  const success = { kind: 'accepted', code: 200, message: 'Success' };
  assert.deepEqual(await trackside.pageView(makeMetrics()), success);
  assert.deepEqual(await trackside.event('Order', { seats: 5 }, makeMetrics()), success);
  assert.deepEqual(
    server.requests.map(({ path, body }) => [path, JSON.parse(body)]),
    [
      ['/api/page-view', { Metrics: makeMetrics() }],
      [
        '/api/event-view',
        { Name: 'Order', Parameters: [{ Name: 'seats', Value: '5' }], Metrics: makeMetrics() },
      ],
    ],
  );
  assert.deepEqual(trackside.counts(), { queued: 0, accepted: 2, refused: 0, dropped: 0, retried: 0 });
});

test('asks for the options with the first record, if they come from a function', async (t) => {
  const server = await startTestServer(t);
  let asked = 0;
  const trackside = new Trackside(() => {
    asked += 1;
    return { url: server.url, apiKey: testKey };
  });
  t.after(() => trackside.close({ withinMs: 0 }));
  assert.deepEqual([asked, trackside.counts().queued], [0, 0]);
  assert.deepEqual([await trackside.flush({ withinMs: 300_000 }), asked], [{ remaining: 0 }, 0]);
  trackside.trackPageView(makeMetrics());
  assert.equal((await trackside.pageView(makeMetrics())).kind, 'accepted');
  await waitFor('both records', () => server.requests.length === 2);
  assert.equal(asked, 1);
});

test('accepts no record after close(), even if it was the first', async (t) => {
  const server = await startTestServer(t);
  const faults: TrackFault[] = [];
  const onError = (fault: TrackFault) => faults.push(fault);
  const trackside = new Trackside(() => ({ url: server.url, apiKey: testKey, onError }));
  assert.deepEqual(await trackside.close({ withinMs: 300_000 }), { remaining: 0 });
  trackside.trackPageView(makeMetrics());
  assert.deepEqual([faults[0]?.kind, trackside.counts().dropped], ['closed', 1]);
});

test('reports missing variables once, and the program continues', async (t) => {
  const said = t.mock.method(console, 'error', () => {});
  const trackside = new Trackside(() => ({ url: process.env.NOT_SET ?? '', apiKey: '' }));
  trackside.trackPageView(makeMetrics());
  trackside.trackEvent('Order', {}, makeMetrics());
  assert.equal(said.mock.callCount(), 1);
  assert.match(String(said.mock.calls[0]?.arguments[0]), /url: expected an http or https URL/);
  assert.equal(trackside.counts().dropped, 2);
  const result = await trackside.pageView(makeMetrics());
  assert.partialDeepStrictEqual(result, { kind: 'unavailable', code: 0 });
  assert.match(result.message, /url: expected an http or https URL/);
});

test('refuses a malformed record before it is sent', async (t) => {
  const { server, trackside } = await start(t);
  const result = await trackside.pageView({ ...makeMetrics(), Language: { Code: 'en-US' } });
  assert.partialDeepStrictEqual(result, { kind: 'malformed', code: 400 });
  assert.match(result.message, /^Metrics\.Language\.Code: /);
  assert.equal(server.requests.length, 0);
});

test('returns 400, 401 and 429 of the server as results', async (t) => {
  const { server, trackside } = await start(t);
  for (const [code, kind] of [
    [400, 'malformed'],
    [401, 'unauthorized'],
    [429, 'contingent-used-up'],
  ] as const) {
    server.behave(answer(code, 'No'));
    assert.partialDeepStrictEqual(await trackside.pageView(makeMetrics()), { kind, code, message: 'No' });
  }
  assert.equal(server.requests.length, 3);
});

test('repeats what was cut off after the server had it with the same key and bytes, so it counts once', async (t) => {
  const { server, trackside } = await start(t);
  const success = server.counting(answer(200, 'Success'));
  server.behaveInTurn(server.counting(cut), server.counting(answerPage(502)), success);
  assert.partialDeepStrictEqual(await trackside.pageView(makeMetrics()), { kind: 'accepted' });
  assert.equal(server.requests.length, 3);
  assert.equal(server.counted.size, 1);
  assert.equal(new Set(server.requests.map(({ body }) => body)).size, 1);
  assert.equal(trackside.counts().retried, 2);
});

test('gives up after the retries and says why', async (t) => {
  const { server, trackside } = await start(t, { retries: 1 });
  server.behave(answer(503, 'The disk is full'));
  assert.partialDeepStrictEqual(await trackside.pageView(makeMetrics()), {
    kind: 'unavailable',
    code: 503,
    message: 'The disk is full',
  });
  assert.equal(server.requests.length, 2);
});

test('reuses its connection', async (t) => {
  const { server, trackside } = await start(t, { queue: { concurrency: 1 } });
  for (let index = 0; index < 5; index += 1) await trackside.pageView(makeMetrics());
  for (let index = 0; index < 20; index += 1) trackside.trackPageView(makeMetrics());
  await trackside.flush({ withinMs: 300_000 });
  assert.equal(server.requests.length, 25);
  // Node opens a second connection if a request follows in the same turn in which the last one ends.
  assert.ok(server.connections() <= 2, `${server.connections()} connections`);
});

test('tracks without waiting, in order, and flushes', async (t) => {
  const { server, trackside } = await start(t, { queue: { concurrency: 1 } });
  const pages = Array.from({ length: 50 }, (_, index) => page(index));
  for (const each of pages) trackside.trackPageView(makeMetrics(each));
  assert.equal(server.requests.length, 0);
  assert.equal(trackside.counts().queued, 50);
  assert.deepEqual(await trackside.flush({ withinMs: 300_000 }), { remaining: 0 });
  assert.deepEqual(pagesOf(server), pages);
});

test('never exceeds its limit of simultaneous requests', async (t) => {
  const { server, trackside } = await start(t);
  const release: (() => void)[] = [];
  server.behave((...request) => void release.push(() => answer(200, 'Success')(...request)));
  for (let index = 0; index < 100; index += 1) trackside.trackEvent('Order', {}, makeMetrics());
  await waitFor('four requests', () => server.requests.length === 4);
  server.behave(answer(200, 'Success'));
  for (const each of release) each();
  assert.deepEqual(await trackside.flush({ withinMs: 300_000 }), { remaining: 0 });
  assert.equal(server.mostUnderWay(), 4);
});

test('delivers what was tracked while the server was away', async (t) => {
  const { server, trackside, faults } = await start(t);
  server.behave(answerPage(503));
  for (let index = 0; index < 10; index += 1) trackside.trackPageView(makeMetrics(page(index)));
  await waitFor('a fault', () => faults.length > 0);
  server.behave(server.counting(answer(200, 'Success')));
  assert.deepEqual(await trackside.flush({ withinMs: 300_000 }), { remaining: 0 });
  assert.equal(server.counted.size, 10);
  assert.equal(faults[0]?.kind, 'unavailable');
});

test('returns from a flush when the time is up', async (t) => {
  const { server, trackside } = await start(t);
  server.behave(hang);
  trackside.trackPageView(makeMetrics());
  assert.deepEqual(await trackside.flush({ withinMs: 20 }), { remaining: 1 });
});

test('gives waitUntil a promise that ends with the delivery', async (t) => {
  const { server, trackside } = await start(t);
  const promises: Promise<unknown>[] = [];
  const waitUntil = (promise: Promise<unknown>) => void promises.push(promise);
  trackside.trackPageView(makeMetrics(), { waitUntil });
  trackside.trackEvent('Order', {}, makeMetrics(), { waitUntil });
  assert.equal(server.requests.length, 0);
  await Promise.all(promises);
  assert.equal(promises.length, 2);
  assert.equal(server.requests.length, 2);
  assert.equal(trackside.counts().accepted, 2);
});

test('uses the waitUntil of the client where a call has none', async (t) => {
  const promises: Promise<unknown>[] = [];
  const { trackside } = await start(t, { waitUntil: (promise) => void promises.push(promise) });
  trackside.trackPageView(makeMetrics());
  await Promise.all(promises);
  assert.equal(trackside.counts().accepted, 1);
});

test('sends a record even if waitUntil throws, and reports that', async (t) => {
  const { trackside, faults } = await start(t);
  const waitUntil = () => {
    throw new Error('no request here');
  };
  trackside.trackPageView(makeMetrics(), { waitUntil });
  await trackside.flush({ withinMs: 300_000 });
  assert.equal(trackside.counts().accepted, 1);
  assert.deepEqual(
    faults.map(({ kind }) => kind),
    ['unexpected'],
  );
});

test('accepts no more after close', async (t) => {
  const { server, trackside, faults } = await start(t);
  trackside.trackPageView(makeMetrics());
  assert.deepEqual(await trackside.close({ withinMs: 300_000 }), { remaining: 0 });
  trackside.trackPageView(makeMetrics());
  assert.equal(server.requests.length, 1);
  assert.equal(trackside.counts().dropped, 1);
  assert.equal(faults[0]?.kind, 'closed');
});

test('reports a malformed record through onError', async (t) => {
  const { server, trackside, faults } = await start(t);
  trackside.trackEvent('', {}, makeMetrics());
  assert.partialDeepStrictEqual(faults, [{ kind: 'malformed', records: 1 }]);
  assert.match(faults[0]!.message, /^Name: /);
  assert.deepEqual(trackside.counts(), { queued: 0, accepted: 0, refused: 1, dropped: 0, retried: 0 });
  assert.equal(server.requests.length, 0);
});

test('no fault contains the API key or an IP address', async (t) => {
  const { server, trackside, faults } = await start(t, { timeoutMs: 250, queue: { maxRecords: 3 } });
  const bad = { ...makeMetrics(), Language: { Code: testIp }, Page: { Absolute: testIp } };
  trackside.trackPageView(bad);
  const results = [await trackside.pageView(bad)];
  const echo = (code: number) => answer(code, `No, ${testKey}`);
  const has = (...kinds: TrackFaultKind[]) => kinds.every((one) => faults.some(({ kind }) => kind === one));
  // Again on a busy machine, because answers that are only late are faults of one kind.
  await waitFor('faults by answers', async () => {
    for (const behaviour of [cut, hang, echo(400), echo(401), echo(429), echo(503), answerPage(403)]) {
      server.behave(behaviour);
      for (let index = 0; index < 5; index += 1) trackside.trackPageView(makeMetrics());
      await trackside.flush({ withinMs: 300 });
    }
    return has('unauthorized', 'contingent-used-up');
  });
  await server.stop();
  trackside.trackPageView(makeMetrics());
  await trackside.close({ withinMs: 300 });
  assert.ok(new Set(faults.map(({ kind }) => kind)).size >= 6, inspect(faults));
  const text = inspect([faults, results, trackside], { depth: 20, showHidden: true });
  assert.ok(!text.includes(testKey), text);
  assert.ok(!text.includes(testIp), text);
});

/** Objects that do their worst when they are read. */
const hostile: unknown[] = [
  new Proxy(
    {},
    {
      get: () => {
        throw new Error('get');
      },
      ownKeys: () => {
        throw new Error('keys');
      },
      has: () => {
        throw new Error('has');
      },
    },
  ),
  Object.defineProperty({}, 'waitUntil', {
    get: () => {
      throw new Error('waitUntil');
    },
  }),
  {
    toJSON: () => {
      throw new Error('toJSON');
    },
  },
  { toJSON: () => undefined },
  { waitUntil: 5 },
  1n,
  Symbol('x'),
  Object.create(null),
  () => {},
  new Proxy([], {}),
  makeMetrics(),
];
/** Wrapped in an object, because fast-check reads the values that it makes, too. */
const box = fc.oneof(
  fc.anything({ withBigInt: true, withNullPrototype: true }).map((value) => ({ value })),
  fc.nat(hostile.length - 1).map((index) => ({ value: hostile[index] })),
);

test('never throws, whatever is passed and whatever onError does', async (t) => {
  const { trackside } = await start(t, {
    onError: () => {
      throw new Error('onError');
    },
  });
  await fc.assert(
    fc.property(fc.tuple(box, box, box, box), (boxes) => {
      const [name, parameters, metrics, options] = boxes.map(({ value }) => value as never);
      assert.equal(trackside.trackPageView(metrics!, options), undefined);
      assert.equal(trackside.trackEvent(name!, parameters!, metrics!, options), undefined);
    }),
    { numRuns: 300 },
  );
  for (const each of hostile as never[]) trackside.trackEvent('Order', {}, makeMetrics(), each);
  await trackside.flush({ withinMs: 300_000 });
});

test('does not delay the request that tracks', async (t) => {
  const { server, trackside } = await start(t);
  server.behave(hang);
  for (let index = 0; index < 1000; index += 1) trackside.trackPageView(makeMetrics());
  assert.equal(server.requests.length, 0);
  assert.equal(trackside.counts().queued, 1000);
});
