import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attempt } from '../faults/result.ts';
import {
  accepted,
  busy,
  forbidden,
  malformed,
  never,
  startQueue,
  toAttempt,
  unanswered,
  unauthorized,
  unreached,
  usedUp,
} from './test-queue.ts';

const minuteMs = 60_000;
const letters = [...'abcdefgh'];

test('sends nothing in the turn of the request that tracks', async () => {
  const { push, sent, clock } = startQueue();
  push('a');
  await Promise.resolve();
  assert.equal(sent.length, 0);
  await clock.advance(1);
  assert.equal(sent.length, 1);
});

test('sends in order of arrival', async () => {
  const { push, bodies, clock, queue, counts } = startQueue();
  for (const letter of letters) push(letter);
  await clock.advance(1);
  assert.deepEqual(bodies(), letters);
  assert.equal(queue.size, 0);
  assert.equal(counts.accepted, 8);
});

test('keeps the order when the first attempts fail', async () => {
  const { push, bodies, clock, answerWith, sent } = startQueue({ concurrency: 4 });
  answerWith(() => (sent.length <= 4 ? busy : accepted));
  for (const letter of letters) push(letter);
  await clock.advance(minuteMs);
  assert.deepEqual(bodies().slice(4), letters);
});

test('never exceeds its limit of simultaneous requests', async () => {
  const { push, clock, answerWith, sent } = startQueue({ concurrency: 3 });
  answerWith(() => never);
  for (const letter of letters) push(letter);
  await clock.advance(1000);
  assert.equal(sent.length, 3);
});

test('sends the same key and body with every attempt', async () => {
  const { push, clock, answerWith, sent, counts } = startQueue();
  answerWith(() => (sent.length < 3 ? unanswered : accepted));
  push('a');
  await clock.advance(minuteMs);
  assert.deepEqual(
    sent.map(({ body, key }) => [body, key]),
    Array.from({ length: 3 }, () => ['a', 'key-1']),
  );
  assert.deepEqual(counts, { accepted: 1, refused: 0, dropped: 0, retried: 2 });
});

test('probes with one record while the server is away, less and less often, then sends all', async () => {
  const { push, clock, answerWith, sent, bodies, queue } = startQueue({ concurrency: 4 });
  answerWith(() => unreached);
  for (const letter of letters) push(letter);
  await clock.advance(1);
  assert.equal(sent.length, 4);
  await clock.advance(10 * minuteMs);
  const pausesMs = sent.slice(4).map(({ atMs }, index) => atMs - sent[index + 3]!.atMs);
  assert.deepEqual(pausesMs.slice(0, 9), [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  assert.ok(pausesMs.slice(9).every((pauseMs) => pauseMs === 30_000));
  answerWith(() => accepted);
  const before = sent.length;
  await clock.advance(30_000);
  assert.equal(queue.size, 0);
  assert.deepEqual(bodies().slice(before).sort(), letters);
});

test('counts requests that fail at the same moment as one failure', async () => {
  const { push, clock, answerWith, sent } = startQueue({ concurrency: 4 });
  answerWith(() => busy);
  for (const letter of letters) push(letter);
  await clock.advance(250);
  assert.equal(sent.length, 5);
});

test('waits as long as the server asks, but not for hours', async () => {
  const { push, clock, answerWith, sent } = startQueue();
  const asking = (retryAfterMs: number) =>
    toAttempt({ kind: 'unavailable', code: 503, message: '', retryAfterMs }, { isTransient: true });
  answerWith(() => asking(sent.length === 1 ? 20_000 : 100 * minuteMs));
  push('a');
  await clock.advance(10 * minuteMs);
  assert.deepEqual(
    sent.map(({ atMs }) => atMs),
    [0, 20_250, 20_250 + 5 * minuteMs + 500],
  );
});

test('drops what is malformed or over the contingent, reports it, and continues at once', async () => {
  const { push, clock, answerWith, counts, kinds, queue } = startQueue();
  answerWith(({ body }) => (body === 'a' ? malformed : body === 'b' ? usedUp : accepted));
  for (const letter of letters) push(letter);
  await clock.advance(1);
  assert.deepEqual(kinds(), ['malformed', 'contingent-used-up']);
  assert.deepEqual(counts, { accepted: 6, refused: 2, dropped: 0, retried: 0 });
  assert.equal(queue.size, 0);
});

test('reports a used-up contingent once a minute, with the number of records', async () => {
  const { push, clock, answerWith, faults } = startQueue();
  answerWith(() => usedUp);
  for (const letter of letters) push(letter);
  await clock.advance(2 * minuteMs);
  assert.deepEqual(
    faults.map(({ records }) => records),
    [1, 7],
  );
});

test('keeps records while the API key is invalid, and tries and reports once a minute', async () => {
  const { push, clock, answerWith, sent, faults, queue } = startQueue({ concurrency: 4, random: 0 });
  answerWith(() => unauthorized);
  for (const letter of letters) push(letter);
  await clock.advance(10 * minuteMs);
  assert.equal(queue.size, 8);
  assert.equal(sent.length, 4 + 10);
  assert.ok(faults.length <= 11 && faults.every(({ kind }) => kind === 'unauthorized'));
  answerWith(() => accepted);
  await clock.advance(minuteMs);
  assert.equal(queue.size, 0);
});

test('a record that never gets through does not hold up the others', async () => {
  const { push, clock, answerWith, counts, queue } = startQueue();
  answerWith(({ body }) => (body === 'a' ? unanswered : accepted));
  for (const letter of letters) push(letter);
  await clock.advance(5000);
  assert.equal(counts.accepted, 7);
  assert.equal(queue.size, 1);
});

test('drops a record that something on the way refuses again and again', async () => {
  const { push, clock, answerWith, counts, kinds, queue } = startQueue();
  answerWith(({ body }) => (body === 'a' ? forbidden : accepted));
  for (const letter of letters) push(letter);
  await clock.advance(minuteMs);
  assert.deepEqual([counts.accepted, counts.dropped, queue.size], [7, 1, 0]);
  assert.ok(kinds().includes('refused-on-the-way'));
});

test('tries few records in a long outage, since each may have to be given up', async () => {
  const { push, clock, answerWith, sent } = startQueue();
  answerWith(() => unanswered);
  for (let index = 0; index < 1000; index += 1) push(String(index));
  await clock.advance(50 * minuteMs);
  assert.ok(new Set(sent.map(({ key }) => key)).size < 15);
});

test('continues when a request is lost without notice', async () => {
  const { push, clock, answerWith, sent, queue, counts } = startQueue();
  const lost = (): Promise<Attempt> => never;
  answerWith(() => (sent.length === 1 ? lost() : accepted));
  push('a');
  push('b');
  await clock.advance(minuteMs);
  assert.equal(queue.size, 0);
  assert.equal(counts.accepted, 2);
});

test('accepts no second answer to a request that was given up as lost', async () => {
  const { push, clock, answerWith, sent, counts } = startQueue();
  let answerLate = (_: Attempt) => {};
  const late = new Promise<Attempt>((resolve) => {
    answerLate = resolve;
  });
  answerWith(() => (sent.length === 1 ? late : accepted));
  push('a');
  push('b');
  await clock.advance(minuteMs);
  answerLate(accepted);
  await clock.advance(1);
  assert.equal(counts.accepted, 2);
});
