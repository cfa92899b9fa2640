import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { makeMetrics, testKey } from '../record/test-metrics.ts';
import type { TracksideOptions } from './options/trackside-options.ts';
import {
  answer,
  answerEach,
  type Behaviour,
  hang,
  recordsOf,
  type SeenRequest,
  startTestServer,
} from './test-server.ts';
import { waitFor } from './test-wait.ts';
import { Trackside } from './trackside-on-node.ts';

async function start(t: TestContext, options: Partial<TracksideOptions> = {}) {
  const server = await startTestServer(t);
  const create = () => {
    const client = new Trackside({ url: server.url, apiKey: testKey, onError: () => {}, ...options });
    t.after(() => client.close({ withinMs: 0 }));
    return client;
  };
  return { server, create, trackside: create() };
}

const headerOf = ({ headers }: SeenRequest) => String(headers['trackside-sequence']);
const numberOf = (sequence: string) => Number(/^[\w-]{16}\.(\d+)$/.exec(sequence)?.[1]);
const streamOf = (sequence: string) => sequence.split('.')[0];

test('numbers records in the order in which they are handed over, whether it waits for them or not', async (t) => {
  const { server, trackside } = await start(t);
  await trackside.pageView(makeMetrics());
  trackside.trackPageView(makeMetrics());
  trackside.trackEvent('Order', {}, makeMetrics());
  await trackside.flush({ withinMs: 300_000 });
  await trackside.event('Order', {}, makeMetrics());
  const sequences = server.requests.map(headerOf);
  assert.deepEqual(sequences.map(numberOf).sort(), [1, 2, 3, 4]);
  assert.equal(new Set(sequences.map(streamOf)).size, 1);
});

test('gives no number to a record that it refuses itself, nor to a check', async (t) => {
  const { server, trackside } = await start(t);
  const malformed = { ...makeMetrics(), Language: { Code: 'en-US' } };
  await trackside.pageView(malformed);
  trackside.trackPageView(malformed);
  await trackside.check(makeMetrics());
  assert.equal(server.requests[0]?.headers['trackside-sequence'], undefined);
  await trackside.pageView(makeMetrics());
  assert.equal(numberOf(headerOf(server.requests[1]!)), 1);
});

test('skips the number of a record that the queue has no room for, so that the gap shows', async (t) => {
  const { server, trackside } = await start(t, { queue: { maxRecords: 2 } });
  for (let count = 0; count < 3; count += 1) trackside.trackPageView(makeMetrics());
  await trackside.flush({ withinMs: 300_000 });
  trackside.trackPageView(makeMetrics());
  await trackside.flush({ withinMs: 300_000 });
  assert.deepEqual(server.requests.map(headerOf).map(numberOf).sort(), [1, 2, 4]);
});

test('sends the number of each record of a batch, and keeps it when only a part is accepted', async (t) => {
  const { server, trackside } = await start(t);
  const sequences = new Map<string, Set<string>>();
  const note = (key: string, sequence: string) =>
    sequences.set(key, (sequences.get(key) ?? new Set()).add(sequence));
  const partly: Behaviour = (response, seen) => {
    for (const record of recordsOf(seen)) note(record.IdempotencyKey, String(record.Sequence));
    answerEach((at) => (at % 2 === 0 ? 200 : 503))(response, seen);
  };
  server.takeBatches(partly);
  server.behave((response, seen) => {
    note(seen.key, headerOf(seen));
    answer(200, 'Success')(response, seen);
  });
  for (let count = 0; count < 9; count += 1) trackside.trackPageView(makeMetrics());
  assert.deepEqual(await trackside.flush({ withinMs: 300_000 }), { remaining: 0 });
  assert.ok(server.batches.length > 0 && server.requests.length > 0);
  assert.ok(server.batches.every(({ headers }) => headers['trackside-sequence'] === undefined));
  const numbers = [...sequences.values()].map((each) => {
    assert.equal(each.size, 1);
    return numberOf([...each][0]!);
  });
  assert.deepEqual(
    numbers.sort((a, b) => a - b),
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
});

test('numbers and sends records that are handed over during close(), and refuses those after it', async (t) => {
  const { server, trackside } = await start(t);
  const release: (() => void)[] = [];
  server.behave((...request) => void release.push(() => answer(200, 'Success')(...request)));
  trackside.trackPageView(makeMetrics());
  const closing = trackside.close({ withinMs: 300_000 });
  trackside.trackPageView(makeMetrics());
  await waitFor('both requests', () => server.requests.length === 2);
  trackside.trackEvent('Order', {}, makeMetrics());
  await waitFor('the third request', () => server.requests.length === 3);
  for (const each of release) each();
  assert.deepEqual(await closing, { remaining: 0 });
  trackside.trackPageView(makeMetrics());
  assert.deepEqual(server.requests.map(headerOf).map(numberOf).sort(), [1, 2, 3]);
  assert.deepEqual([trackside.counts().accepted, trackside.counts().dropped], [3, 1]);
});

test('gives each client of a process its own stream', async (t) => {
  const { server, trackside, create } = await start(t);
  await trackside.pageView(makeMetrics());
  await create().pageView(makeMetrics());
  const sequences = server.requests.map(headerOf);
  assert.deepEqual(sequences.map(numberOf), [1, 1]);
  assert.notEqual(streamOf(sequences[0]!), streamOf(sequences[1]!));
});

test('sends the same number again after a server died with the record', async (t) => {
  const { server, trackside } = await start(t, { timeoutMs: 200 });
  server.behaveInTurn(server.counting(hang), server.counting(answer(200, 'Success')));
  trackside.trackPageView(makeMetrics());
  await waitFor('a repeat', () => trackside.counts().accepted === 1);
  const [first, second] = server.requests;
  assert.deepEqual(
    [first!.key, first!.body, headerOf(first!)],
    [second!.key, second!.body, headerOf(second!)],
  );
  assert.equal(server.counted.size, 1);
});

test('names the release with every request', async (t) => {
  const { server, trackside } = await start(t, { release: 'shop 1.4.2' });
  server.takeBatches(answerEach(() => 200));
  await trackside.pageView(makeMetrics());
  await trackside.check(makeMetrics());
  for (let count = 0; count < 9; count += 1) trackside.trackPageView(makeMetrics());
  await trackside.flush({ withinMs: 300_000 });
  assert.ok(server.batches.length > 0);
  for (const { headers } of [...server.requests, ...server.batches])
    assert.equal(headers['trackside-release'], 'shop 1.4.2');
});

test('names no release if there is none', async (t) => {
  const { server, trackside } = await start(t);
  await trackside.pageView(makeMetrics());
  assert.equal(server.requests[0]?.headers['trackside-release'], undefined);
});
