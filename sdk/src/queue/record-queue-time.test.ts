import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  accepted,
  busy,
  malformed,
  never,
  startQueue,
  toAttempt,
  unanswered,
  unreached,
} from './test-queue.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const numbers = (count: number) => Array.from({ length: count }, (_, at) => String(at));

test('sends no time with a record that does not have to wait', async () => {
  const { push, clock, sent } = startQueue();
  push('a');
  await clock.advance(1);
  assert.deepEqual(
    sent.map(({ occurredAt, sequence }) => [occurredAt, sequence]),
    [[undefined, 'stream.1']],
  );
});

test('sends after an outage when each record was handed over', async () => {
  const { push, clock, sent, answerWith, takeBatches, batches } = startQueue();
  takeBatches();
  answerWith(() => unreached);
  const handedOver: Record<string, number> = {};
  for (const number of numbers(20)) {
    handedOver[number] = clock.now();
    push(number);
    await clock.advance(minuteMs);
  }
  answerWith(() => accepted);
  const before = sent.length;
  await clock.advance(minuteMs);
  const after = sent.slice(before);
  assert.equal(after.length, 20);
  for (const { body, occurredAt } of after) assert.equal(occurredAt, handedOver[body], body);
  assert.ok(batches.length > 0);
});

for (const [what, answer] of [
  ['there was no response', unanswered],
  [
    'the server said that the outcome is unknown',
    toAttempt(busy.result, { isTransient: true, isUncertain: true }),
  ],
] as const) {
  test(`repeats the same bytes while it may have been counted: ${what}`, async () => {
    const { push, clock, sent, answerWith } = startQueue();
    // The first attempts arrive nowhere, so the body may still change.
    answerWith(() => unreached);
    const handedOverAt = clock.now();
    push('late');
    await clock.advance(2 * minuteMs);
    answerWith(() => answer);
    const before = sent.length;
    await clock.advance(10 * minuteMs);
    // A server that is away again doesn't tell what became of the earlier attempt.
    answerWith(() => unreached);
    await clock.advance(10 * minuteMs);
    answerWith(() => accepted);
    await clock.advance(minuteMs);
    const times = new Set(sent.slice(before).map(({ occurredAt }) => occurredAt));
    assert.deepEqual([...times], [handedOverAt]);
    assert.equal(sent[0]?.occurredAt, undefined);
  });

  test(`adds no time to what was sent without it: ${what}`, async () => {
    const { push, clock, sent, answerWith, counts } = startQueue();
    answerWith(() => (sent.length < 8 ? answer : accepted));
    push('early');
    await clock.advance(20 * minuteMs);
    assert.equal(counts.accepted, 1);
    assert.deepEqual([...new Set(sent.map(({ occurredAt }) => occurredAt))], [undefined]);
  });
}

test('adds the time after a 503, which says that the record was not taken', async () => {
  const { push, clock, sent, answerWith } = startQueue();
  const handedOverAt = clock.now();
  answerWith(() => (clock.now() - handedOverAt < minuteMs ? busy : accepted));
  push('a');
  await clock.advance(5 * minuteMs);
  assert.deepEqual([sent[0]?.occurredAt, sent.at(-1)?.occurredAt], [undefined, handedOverAt]);
});

test('adds the time to what a batch has certainly not delivered, and to nothing else of it', async () => {
  const { push, clock, sent, answerWith, takeBatches, batches, counts } = startQueue();
  takeBatches();
  answerWith(({ body }) => (body === '3' ? busy : body === '7' ? unanswered : accepted));
  const handedOverAt = clock.now();
  for (const number of numbers(9)) push(number);
  await clock.advance(minuteMs);
  assert.deepEqual([batches, counts.accepted], [[9], 7]);
  answerWith(() => accepted);
  await clock.advance(minuteMs);
  assert.equal(counts.accepted, 9);
  const last = (body: string) => sent.filter((one) => one.body === body).at(-1);
  assert.deepEqual([last('3')?.occurredAt, last('7')?.occurredAt], [handedOverAt, undefined]);
});

test('sends a record without its time if the server refuses the time, and says that a clock is wrong', async () => {
  const { push, clock, sent, answerWith, counts, faults } = startQueue();
  const wrongTime = toAttempt({ kind: 'malformed', code: 400, message: 'OccurredAt: 12 minutes ahead' });
  answerWith(() => unreached);
  push('a');
  await clock.advance(minuteMs);
  answerWith(({ occurredAt }) => (occurredAt === undefined ? accepted : wrongTime));
  await clock.advance(minuteMs);
  assert.equal(counts.accepted, 1);
  assert.equal(sent.at(-1)?.occurredAt, undefined);
  const fault = faults.find(({ kind }) => kind === 'time-refused');
  assert.match(fault?.message ?? '', /\(OccurredAt: 12 minutes ahead\): check this machine's clock/);
});

test('reports a record that is refused with and without its time', async () => {
  const { push, clock, answerWith, counts, kinds, queue } = startQueue();
  answerWith(() => unreached);
  push('a');
  await clock.advance(minuteMs);
  answerWith(() => malformed);
  await clock.advance(minuteMs);
  assert.deepEqual(counts.refused, 1);
  assert.deepEqual(kinds().slice(-2), ['time-refused', 'malformed']);
  assert.equal(queue.size, 0);
});

test('sends no time of more than 25 hours ago, whatever happens to a record', async () => {
  const { push, clock, sent, answerWith, kinds, counts } = startQueue({ maxAgeMs: 30 * 24 * hourMs });
  const ages: number[] = [];
  let arrivesIn = unreached;
  answerWith(({ occurredAt }) => {
    if (occurredAt !== undefined) ages.push(clock.now() - occurredAt);
    return arrivesIn;
  });
  push('waits');
  await clock.advance(23.9 * hourMs);
  arrivesIn = unanswered;
  await clock.advance(3 * hourMs);
  assert.ok(ages.length > 10);
  assert.ok(Math.max(...ages) < 25 * hourMs);
  assert.ok(kinds().includes('unknown-outcome'));

  arrivesIn = unreached;
  push('waits longer');
  await clock.advance(26 * hourMs);
  arrivesIn = accepted;
  await clock.advance(hourMs);
  assert.equal(counts.accepted, 1);
  assert.equal(sent.at(-1)?.occurredAt, undefined);
  assert.ok(Math.max(...ages) < 25 * hourMs);
});

test('keeps the number of a record in every attempt, whatever becomes of others', async () => {
  const { push, clock, sent, answerWith } = startQueue({ concurrency: 3 });
  answerWith(({ body }) => (body === 'b' ? malformed : sent.length < 9 ? busy : accepted));
  for (const letter of 'abcd') push(letter);
  await clock.advance(10 * minuteMs);
  for (const { body, sequence } of sent) assert.equal(sequence, `stream.${'abcd'.indexOf(body) + 1}`);
  assert.equal(new Set(sent.map(({ body }) => body)).size, 4);
});

test('leaves the time of an attempt in progress as it is', async () => {
  const { push, clock, sent, answerWith } = startQueue();
  answerWith(() => (sent.length === 1 ? never : accepted));
  push('a');
  await clock.advance(minuteMs);
  push('b');
  await clock.advance(minuteMs);
  assert.deepEqual(
    sent.filter(({ body }) => body === 'a').map(({ occurredAt }) => occurredAt),
    [undefined, undefined],
  );
});
