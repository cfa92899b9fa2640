import assert from 'node:assert/strict';
import { truncate } from 'node:fs/promises';
import { test } from 'node:test';
import { segmentPath } from '../../journal/segment-file.ts';
import { damage } from '../../journal/test-journal.ts';
import { recallKeys } from './recall-keys.ts';
import { startTestIdempotency, type TestIdempotency } from './test-idempotency.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Returns which of these keys are remembered. Checking a key uses it. */
async function knownOf(parts: TestIdempotency, keys: readonly string[]): Promise<string[]> {
  const known: string[] = [];
  for (const key of keys) if ((await parts.send({ key })) === 'repeated') known.push(key);
  return known;
}
const sendAll = async (parts: TestIdempotency, keys: readonly string[]) => {
  for (const key of keys) assert.equal(await parts.send({ key }), 'accepted');
};

test('recalls an hour before the last record, however long the server was down', async (t) => {
  const parts = await startTestIdempotency(t);
  await sendAll(parts, ['old']);
  parts.clock.pass(1000);
  await sendAll(parts, ['hour']);
  parts.clock.pass(hourMs - 1000);
  await sendAll(parts, ['recent']);
  parts.clock.pass(1000);
  await sendAll(parts, ['last']);
  await parts.restart({}, async () => parts.clock.pass(20 * hourMs));
  assert.deepEqual(await knownOf(parts, ['old', 'hour', 'recent', 'last']), ['hour', 'recent', 'last']);
});

test('a recalled key is forgotten after the rest of its hour', async (t) => {
  const parts = await startTestIdempotency(t);
  await sendAll(parts, ['a']);
  parts.clock.pass(40 * minuteMs);
  await sendAll(parts, ['b']);
  await parts.restart();
  parts.clock.pass(20 * minuteMs);
  assert.deepEqual(await knownOf(parts, ['a', 'b']), ['a', 'b']);
  parts.clock.pass(minuteMs);
  assert.deepEqual(await knownOf(parts, ['a', 'b']), ['b']);
});

test('two restarts after long pauses still leave the whole hour', async (t) => {
  const parts = await startTestIdempotency(t);
  await sendAll(parts, ['a']);
  await parts.restart({}, async () => parts.clock.pass(5 * hourMs));
  parts.clock.pass(10 * minuteMs);
  await sendAll(parts, ['b']);
  await parts.restart({}, async () => parts.clock.pass(5 * hourMs));
  assert.deepEqual(await knownOf(parts, ['a', 'b']), ['a', 'b']);
  parts.clock.pass(51 * minuteMs);
  await parts.restart();
  assert.deepEqual(await knownOf(parts, ['b']), ['b']);
});

test('a wall clock that is set back while the server is down makes nothing older', async (t) => {
  const parts = await startTestIdempotency(t);
  await sendAll(parts, ['a']);
  await parts.restart({}, async () => parts.clock.jump(-30 * hourMs));
  await sendAll(parts, ['b']);
  await parts.restart({}, async () => parts.clock.jump(60 * hourMs));
  await sendAll(parts, ['c']);
  await parts.restart();
  assert.deepEqual(await knownOf(parts, ['a', 'b', 'c']), ['a', 'b', 'c']);
});

test('a wall clock that is set while the server runs makes nothing older', async (t) => {
  for (const jumpMs of [30 * hourMs, -30 * hourMs]) {
    const parts = await startTestIdempotency(t);
    await sendAll(parts, ['a']);
    // This one is still waiting for the disk when the clock is set.
    const waiting = parts.send({ key: 'b' });
    parts.clock.jump(jumpMs);
    await sendAll(parts, ['c']);
    assert.equal(await waiting, 'accepted');
    parts.clock.pass(30 * minuteMs);
    await sendAll(parts, ['d']);
    await parts.restart();
    assert.deepEqual(await knownOf(parts, ['a', 'b', 'c', 'd']), ['a', 'b', 'c', 'd']);
    parts.clock.pass(31 * minuteMs);
    assert.deepEqual(await knownOf(parts, ['d']), ['d']);
  }
});

test('recalls from several segments, up to its limits, newest first', async (t) => {
  const parts = await startTestIdempotency(t);
  const keys = Array.from({ length: 12 }, (_, index) => `key ${index}`);
  for (let at = 0; at < keys.length; at += 3) {
    await sendAll(parts, keys.slice(at, at + 3));
    parts.clock.pass(minuteMs);
    await parts.node().journal.rotate();
  }
  await parts.restart();
  assert.equal(parts.node().idempotencyIndex.size(), 12);
  await parts.restart({ maxKeys: 7 });
  assert.equal(parts.node().idempotencyIndex.size(), 7);
  assert.deepEqual(await knownOf(parts, keys.slice(-7)), keys.slice(-7));
  const { firstFrame, end } = parts.node().journal.segments()[0]!;
  await parts.restart({ maxRecalledBytes: 2 * (end - firstFrame) + 100 });
  assert.equal(parts.node().idempotencyIndex.size(), 6);
  assert.deepEqual(await knownOf(parts, keys.slice(-6)), keys.slice(-6));
});

test('a key is lost together with its record when the tail is torn, wherever it is cut', async (t) => {
  for (const share of [0, 0.02, 0.5, 0.99]) {
    const parts = await startTestIdempotency(t);
    await sendAll(parts, ['a', 'b']);
    const from = parts.node().journal.durable().offset;
    await sendAll(parts, ['c']);
    const { segment, offset } = parts.node().journal.durable();
    const cut = from + Math.floor((offset - from) * share);
    await parts.restart({}, () => truncate(segmentPath(parts.folder, segment), cut));
    assert.deepEqual(await knownOf(parts, ['a', 'b', 'c']), ['a', 'b']);
    await parts.restart();
    assert.deepEqual(
      await knownOf(parts, ['a', 'b', 'c']),
      ['a', 'b', 'c'],
      'what was sent again is known now',
    );
  }
});

test('damage in the middle loses only the key of the record that it hit', async (t) => {
  const parts = await startTestIdempotency(t);
  await sendAll(parts, ['a']);
  const from = parts.node().journal.durable().offset;
  await sendAll(parts, ['b']);
  const to = parts.node().journal.durable().offset;
  await sendAll(parts, ['c']);
  const hit = (bytes: Buffer) => bytes.fill(0xee, from + 3, to - 5);
  await parts.restart({}, () => damage(parts.folder, 1, hit));
  assert.deepEqual(await knownOf(parts, ['a', 'b', 'c']), ['a', 'c']);
});

test('an unreadable segment loses its own keys, but does not prevent the start', async (t) => {
  const parts = await startTestIdempotency(t);
  await sendAll(parts, ['a']);
  await parts.node().journal.rotate();
  await sendAll(parts, ['b']);
  const { journal } = parts.node();
  const unreadable: number[] = [];
  let recalled = 0;
  await recallKeys(
    {
      folder: journal.folder,
      segments: () => [{ number: 99, createdAt: 0, firstFrame: 0, end: 100 }, ...journal.segments()],
    },
    { maxAgeMs: 1e12, maxKeys: 100, maxBytes: 1e9 },
    () => {
      recalled += 1;
    },
    (segment) => unreadable.push(segment),
  );
  assert.deepEqual([recalled, unreadable], [2, [99]]);
});

test('an empty journal, and one without keys, leave nothing to recall', async (t) => {
  const parts = await startTestIdempotency(t);
  assert.equal(parts.node().idempotencyIndex.size(), 0);
  assert.equal(await parts.send({}), 'accepted');
  await parts.restart();
  assert.equal(parts.node().idempotencyIndex.size(), 0);
});

test('recalls when each record was received, and its place in the millisecond', async (t) => {
  const parts = await startTestIdempotency(t);
  await sendAll(parts, ['a', 'b', 'c']);
  parts.clock.pass(1234);
  await sendAll(parts, ['d']);
  const { journal } = parts.node();
  const received: unknown[] = [];
  await recallKeys(
    journal,
    { maxAgeMs: 1e12, maxKeys: 100, maxBytes: 1e9 },
    (_hash, _ageMs, one) => received.push(one),
    () => assert.fail('every segment can be read'),
  );
  const { receivedAtMs } = received[0] as { receivedAtMs: number };
  assert.deepEqual(received, [
    { receivedAtMs, order: 0 },
    { receivedAtMs, order: 1 },
    { receivedAtMs, order: 2 },
    { receivedAtMs: receivedAtMs + 1234, order: 0 },
  ]);
  assert.equal(receivedAtMs, parts.clock.now() - 1234);
});
