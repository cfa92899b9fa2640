import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attempt } from '../faults/result.ts';
import { accepted, busy, never, startQueue, unanswered, unreached } from './test-queue.ts';

const minuteMs = 60_000;
const letters = [...'abcdefgh'];

test('a record that somebody waits for skips the line', async () => {
  const { push, clock, answerWith, bodies, queue } = startQueue();
  answerWith(({ body }) => (body === 'slow' ? never : accepted));
  push('slow');
  push('waiting');
  let settled = 0;
  push('urgent', () => {
    settled += 1;
  });
  await clock.advance(1);
  assert.deepEqual(bodies(), ['slow', 'urgent']);
  assert.equal(settled, 1);
  assert.equal(queue.size, 2);
});

test('continues with the line while records that somebody waits for are in progress', async () => {
  const { push, clock, answerWith, bodies } = startQueue();
  answerWith(({ body }) => (body === 'urgent' ? never : accepted));
  for (let index = 0; index < 5; index += 1) push('urgent', () => {});
  await clock.advance(1);
  push('in line');
  await clock.advance(1);
  assert.equal(bodies().at(-1), 'in line');
});

test('ends requests in progress when it is closed', async () => {
  const { push, clock, answerWith, queue, counts, signals } = startQueue();
  answerWith(() => never);
  push('slow');
  await clock.advance(1);
  const closing = queue.close(1000);
  await clock.advance(1000);
  assert.deepEqual(await closing, { remaining: 1 });
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true],
  );
  assert.equal(counts.accepted, 0);
});

test('puts even such a record in line while the server is away', async () => {
  const { push, clock, answerWith, sent, counts } = startQueue({ concurrency: 4 });
  answerWith(() => busy);
  push('a');
  await clock.advance(1);
  let settled = 0;
  for (const letter of letters)
    push(letter, () => {
      settled += 1;
    });
  await clock.advance(100);
  assert.equal(sent.length, 1);
  answerWith(() => accepted);
  await clock.advance(minuteMs);
  assert.equal(settled, 8);
  assert.equal(counts.accepted, 9);
});

test('settles a record that it refuses', () => {
  const { push } = startQueue({ maxRecords: 1 });
  let settled = 0;
  push('a');
  push('b', () => {
    settled += 1;
  });
  assert.equal(settled, 1);
});

test('flushes at once, whatever the pause', async () => {
  const { push, clock, answerWith, queue } = startQueue();
  answerWith(() => busy);
  push('a');
  await clock.advance(60 * minuteMs);
  answerWith(() => accepted);
  const flushed = queue.flush(5000);
  await clock.advance(0);
  assert.deepEqual(await flushed, { remaining: 0 });
});

test('tries several times during a flush, and ends it when the time is up', async () => {
  const { push, clock, answerWith, queue, sent } = startQueue();
  answerWith(() => busy);
  push('a');
  await clock.advance(60 * minuteMs);
  const before = sent.length;
  const flushed = queue.flush(5000);
  await clock.advance(5000);
  assert.deepEqual(await flushed, { remaining: 1 });
  assert.equal(sent.length - before, 5);
});

test('keeps the program alive for a flush, but not for a pause', async () => {
  const { push, clock, answerWith, queue } = startQueue();
  const keepsAlive = () => clock.timers().some((timer) => timer.keepsAlive);
  answerWith(() => busy);
  push('a');
  assert.ok(keepsAlive());
  await clock.advance(1000);
  assert.ok(!keepsAlive());
  void queue.flush(5000);
  assert.ok(keepsAlive());
  await clock.advance(5000);
  assert.ok(!keepsAlive());
});

test('accepts no more after close, and reports what is lost', async () => {
  const { push, clock, answerWith, queue, counts, faults } = startQueue();
  answerWith(() => unreached);
  push('a');
  push('b');
  const closed = queue.close(1000);
  await clock.advance(1000);
  assert.deepEqual(await closed, { remaining: 2 });
  push('c');
  assert.equal(counts.dropped, 3);
  assert.equal(
    faults.filter(({ kind }) => kind === 'closed').reduce((sum, { records }) => sum + records, 0),
    3,
  );
  await clock.advance(60 * minuteMs);
  assert.equal(queue.close(1000), queue.close(1));
});

test('counts and reports each lost record once before close() resolves', async () => {
  const { push, clock, answerWith, queue, counts, faults, signals } = startQueue({ concurrency: 4 });
  answerWith(
    () => new Promise((resolve) => signals.at(-1)!.addEventListener('abort', () => resolve(unanswered))),
  );
  for (const letter of letters) push(letter);
  let settled = 0;
  push('urgent', () => {
    settled += 1;
  });
  const closed = queue.close(1000);
  await clock.advance(1000);
  assert.deepEqual(await closed, { remaining: 9 });
  assert.deepEqual([queue.size, counts.dropped, settled], [0, 9, 1]);
  assert.match(faults.at(-1)!.message, /got some that were not accepted in that time\.$/);
  assert.equal(
    faults.filter(({ kind }) => kind === 'closed').reduce((sum, { records }) => sum + records, 0),
    9,
  );
});

test('counts a record that was in progress when the queue was closed', async () => {
  const { push, clock, answerWith, queue, counts } = startQueue();
  let answer = (_: Attempt) => {};
  answerWith(() => new Promise((resolve) => (answer = resolve)));
  push('a');
  const closed = queue.close(1000);
  await clock.advance(1000);
  assert.deepEqual(await closed, { remaining: 1 });
  answer(accepted);
  await clock.advance(1);
  assert.deepEqual([counts.accepted, counts.dropped], [1, 0]);
});

test('tries once at the end of the program, and again only if there is more', async () => {
  const listenersBefore = process.listeners('beforeExit');
  const { push, clock, answerWith, sent } = startQueue();
  answerWith(() => busy);
  push('a');
  await clock.advance(60 * minuteMs);
  const attemptsAtEnd = async () => {
    const before = sent.length;
    process.emit('beforeExit', 0);
    await clock.advance(5000);
    return sent.length - before;
  };
  assert.equal(await attemptsAtEnd(), 5);
  await clock.advance(60 * minuteMs);
  assert.ok((await attemptsAtEnd()) <= 1);
  push('b');
  assert.equal(await attemptsAtEnd(), 5);
  answerWith(() => accepted);
  await clock.advance(minuteMs);
  assert.deepEqual(process.listeners('beforeExit'), listenersBefore);
});
