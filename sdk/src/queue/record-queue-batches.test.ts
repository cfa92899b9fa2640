import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accepted, busy, malformed, startQueue, unanswered, unreached, usedUp } from './test-queue.ts';

const minuteMs = 60_000;
const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at));

test('sends what waited during an outage in batches, after one record as a probe', async () => {
  const { push, clock, answerWith, bodies, batches, takeBatches, counts, queue } = startQueue({
    concurrency: 4,
  });
  takeBatches();
  answerWith(() => unreached);
  push('first');
  await clock.advance(10);
  for (const number of numbers(1200)) push(number);
  await clock.advance(minuteMs);
  assert.deepEqual(batches, []);
  answerWith(() => accepted);
  await clock.advance(minuteMs);
  assert.deepEqual(batches, [500, 500, 200]);
  assert.deepEqual(bodies().slice(-1201).sort(), ['first', ...numbers(1200)].sort());
  assert.equal(queue.size, 0);
  assert.equal(counts.accepted, 1201);
});

test('sends a few records each by itself', async () => {
  const { push, clock, batches, takeBatches, counts } = startQueue();
  takeBatches();
  for (const number of numbers(5)) push(number);
  await clock.advance(1);
  assert.deepEqual([batches, counts.accepted], [[], 5]);
});

test('keeps batches below a size', async () => {
  const { push, clock, batches, takeBatches, counts } = startQueue({ maxBytes: 2 ** 30 });
  takeBatches();
  for (const number of numbers(8)) push(number.repeat(200_000));
  await clock.advance(1);
  assert.deepEqual([batches, counts.accepted], [[2, 2], 8]);
});

test('sends one by one to a server that takes no batches, and asks again after a while', async () => {
  const { push, clock, batches, bodies, takeBatches, counts, faults } = startQueue({ concurrency: 2 });
  for (const number of numbers(20)) push(number);
  await clock.advance(1);
  assert.deepEqual(bodies(), numbers(20));
  assert.deepEqual(batches, [20]);
  takeBatches();
  for (const number of numbers(20)) push(number);
  await clock.advance(minuteMs);
  assert.deepEqual(batches, [20]);
  await clock.advance(10 * minuteMs);
  for (const number of numbers(20)) push(number);
  await clock.advance(1);
  assert.deepEqual(batches, [20, 20]);
  assert.deepEqual(counts, { accepted: 60, refused: 0, dropped: 0, retried: 0 });
  assert.deepEqual(faults, []);
});

test('treats each record of a batch on its own, and sends again only what may be sent again', async () => {
  const { push, clock, answerWith, batches, sent, takeBatches, counts, kinds, queue } = startQueue();
  takeBatches();
  let isBusy = true;
  answerWith(({ body }) => {
    if (body === '2') return malformed;
    if (body === '4') return usedUp;
    return isBusy && (body === '3' || body === '7') ? busy : accepted;
  });
  for (const number of numbers(9)) push(number);
  await clock.advance(1);
  assert.deepEqual(batches, [9]);
  assert.deepEqual(counts, { accepted: 5, refused: 2, dropped: 0, retried: 0 });
  assert.equal(queue.size, 2);
  isBusy = false;
  await clock.advance(minuteMs);
  assert.deepEqual(
    sent.slice(9).map(({ body }) => body),
    ['3', '7'],
  );
  assert.deepEqual(counts, { accepted: 7, refused: 2, dropped: 0, retried: 2 });
  assert.deepEqual([...new Set(kinds())].sort(), ['contingent-used-up', 'malformed', 'unavailable']);
});

test('makes batches smaller when they are not answered, and larger again', async () => {
  const { push, clock, answerWith, batches, takeBatches, counts } = startQueue();
  takeBatches();
  // The first two batches are lost, and every single record arrives.
  let lost = 0;
  answerWith(() => {
    if (lost === (batches[0] ?? 0) + (batches.length > 1 ? batches[1]! : 0)) return accepted;
    lost += 1;
    return unanswered;
  });
  for (const number of numbers(1200)) push(number);
  await clock.advance(1);
  assert.deepEqual([batches, counts.accepted], [[500], 0]);
  await clock.advance(10 * minuteMs);
  assert.equal(counts.accepted, 1200);
  assert.ok(batches[1]! < 300, String(batches));
  assert.ok(batches[2]! < batches[1]!, String(batches));
  assert.ok(batches[3]! > batches[2]!, String(batches));
});

test('keeps the keys of the records, and counts each attempt after the first', async () => {
  const { push, clock, answerWith, sent, takeBatches, counts } = startQueue();
  takeBatches();
  answerWith(() => unanswered);
  for (const number of numbers(6)) push(number);
  await clock.advance(1);
  answerWith(() => accepted);
  await clock.advance(minuteMs);
  const keysOf = (body: string) => new Set(sent.filter((one) => one.body === body).map(({ key }) => key));
  for (const number of numbers(6)) assert.equal(keysOf(number).size, 1);
  assert.deepEqual(counts, { accepted: 6, refused: 0, dropped: 0, retried: 6 });
});
