import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accepted, startQueue, unanswered, unreached } from './test-queue.ts';

const minuteMs = 60_000;
const letters = [...'abcdefgh'];

test('refuses the newest record when it is full, and reports that once with the number', async () => {
  const { push, clock, answerWith, faults, counts, bodies, queue } = startQueue({ maxRecords: 3 });
  answerWith(() => unreached);
  for (const letter of letters) push(letter);
  assert.equal(queue.size, 3);
  assert.equal(counts.dropped, 5);
  answerWith(() => accepted);
  await clock.advance(minuteMs);
  assert.deepEqual(bodies(), ['a', 'b', 'c']);
  assert.deepEqual(
    faults.map(({ kind, records }) => [kind, records]),
    [
      ['queue-full', 1],
      ['queue-full', 4],
    ],
  );
});

test('is also full by bytes, and has room again when they are sent', async () => {
  const { push, clock, queue, counts } = startQueue({ maxBytes: 100 });
  push('x'.repeat(60));
  push('x'.repeat(60));
  assert.equal(counts.dropped, 1);
  await clock.advance(1);
  push('x'.repeat(100));
  assert.equal(queue.size, 1);
});

test('gives up a record that is too old', async () => {
  const { push, clock, answerWith, counts, kinds, queue } = startQueue({ maxAgeMs: 10 * minuteMs });
  answerWith(() => unreached);
  push('a');
  await clock.advance(5 * minuteMs);
  push('b');
  await clock.advance(6 * minuteMs);
  assert.equal(queue.size, 1);
  assert.equal(counts.dropped, 1);
  assert.ok(kinds().includes('too-old'));
});

test('does not repeat after 55 minutes what the server may have counted', async () => {
  const { push, clock, answerWith, sent, counts, faults, queue } = startQueue();
  answerWith(() => (sent.length === 1 ? unanswered : unreached));
  push('a');
  await clock.advance(50 * minuteMs);
  assert.equal(queue.size, 1);
  await clock.advance(6 * minuteMs);
  assert.equal(queue.size, 0);
  assert.equal(counts.dropped, 1);
  assert.ok(sent.at(-1)!.atMs <= 55 * minuteMs);
  assert.match(
    faults.find(({ kind }) => kind === 'unknown-outcome')!.message,
    /may or may not have been counted/,
  );
});

test('keeps trying for a day what has certainly not arrived', async () => {
  const { push, clock, answerWith, queue, counts } = startQueue();
  answerWith(() => unreached);
  push('a');
  await clock.advance(23 * 60 * minuteMs);
  assert.equal(queue.size, 1);
  answerWith(() => accepted);
  await clock.advance(minuteMs);
  assert.equal(counts.accepted, 1);
});

test('knows that it has slept, and does not repeat what was uncertain before', async () => {
  const { push, clock, answerWith, sent, queue } = startQueue();
  answerWith(() => unanswered);
  push('a');
  await clock.advance(1);
  clock.sleep(2 * 60 * minuteMs);
  await clock.advance(minuteMs);
  assert.equal(sent.length, 1);
  assert.equal(queue.size, 0);
});

test('does not rely on a wall clock that is set back', async () => {
  const { push, clock, answerWith, queue } = startQueue();
  answerWith(() => unanswered);
  push('a');
  await clock.advance(1);
  clock.setWallClock(0);
  await clock.advance(56 * minuteMs);
  assert.equal(queue.size, 0);
});
