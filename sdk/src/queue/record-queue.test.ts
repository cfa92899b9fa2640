import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Attempt } from '../client/result.ts';
import type { DiskKeep } from './disk-keep.ts';
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

test('sends no more at the same time than it may', async () => {
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

test('asks with one record while the server is away, less and less often, then sends all', async () => {
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

test('counts requests that fail in the same moment as one failure', async () => {
  const { push, clock, answerWith, sent } = startQueue({ concurrency: 4 });
  answerWith(() => busy);
  for (const letter of letters) push(letter);
  await clock.advance(250);
  assert.equal(sent.length, 5);
});

test('waits for as long as the server asks, but not for hours', async () => {
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

test('drops what is malformed or beyond the contingent, tells it, and goes on at once', async () => {
  const { push, clock, answerWith, counts, kinds, queue } = startQueue();
  answerWith(({ body }) => (body === 'a' ? malformed : body === 'b' ? usedUp : accepted));
  for (const letter of letters) push(letter);
  await clock.advance(1);
  assert.deepEqual(kinds(), ['malformed', 'contingent-used-up']);
  assert.deepEqual(counts, { accepted: 6, refused: 2, dropped: 0, retried: 0 });
  assert.equal(queue.size, 0);
});

test('tells a used up contingent once a minute, with the number of records', async () => {
  const { push, clock, answerWith, faults } = startQueue();
  answerWith(() => usedUp);
  for (const letter of letters) push(letter);
  await clock.advance(2 * minuteMs);
  assert.deepEqual(
    faults.map(({ records }) => records),
    [1, 7],
  );
});

test('keeps records while the API key is not valid, asks once a minute and tells it once a minute', async () => {
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

test('refuses the newest when it is full, and tells it once with the number', async () => {
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

test('is full by bytes too, and has room again when they are sent', async () => {
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

test('goes on for a day with what has surely not arrived', async () => {
  const { push, clock, answerWith, queue, counts } = startQueue();
  answerWith(() => unreached);
  push('a');
  await clock.advance(23 * 60 * minuteMs);
  assert.equal(queue.size, 1);
  answerWith(() => accepted);
  await clock.advance(minuteMs);
  assert.equal(counts.accepted, 1);
});

test('knows that it has slept: what was uncertain before is not repeated after', async () => {
  const { push, clock, answerWith, sent, queue } = startQueue();
  answerWith(() => unanswered);
  push('a');
  await clock.advance(1);
  clock.sleep(2 * 60 * minuteMs);
  await clock.advance(minuteMs);
  assert.equal(sent.length, 1);
  assert.equal(queue.size, 0);
});

test('does not count on a wall clock that is set back', async () => {
  const { push, clock, answerWith, queue } = startQueue();
  answerWith(() => unanswered);
  push('a');
  await clock.advance(1);
  clock.setWallClock(0);
  await clock.advance(56 * minuteMs);
  assert.equal(queue.size, 0);
});

test('does not let one record that never gets through hold up the others', async () => {
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

test('goes on when a request is lost and nobody says so', async () => {
  const { push, clock, answerWith, sent, queue, counts } = startQueue();
  const lost = (): Promise<Attempt> => never;
  answerWith(() => (sent.length === 1 ? lost() : accepted));
  push('a');
  push('b');
  await clock.advance(minuteMs);
  assert.equal(queue.size, 0);
  assert.equal(counts.accepted, 2);
});

test('takes no second answer to a request that was given up as lost', async () => {
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

test('does not let a record that somebody waits for stand in line', async () => {
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

test('keeps the program alive for a flush, not for a pause', async () => {
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

test('takes no more after close, and tells what is lost by it', async () => {
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

test('counts a record that was under way when the queue was closed', async () => {
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

test('tries once at the end of the program, and again only when there is more', async () => {
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

const idleDisk: DiskKeep = {
  ...{ open: () => {}, add: () => {}, noteTry: () => {}, noteUntried: () => {}, noteDone: () => {} },
  ...{ claim: async () => [], has: () => true, written: async () => {}, close: async () => {} },
};

test('does not send for a second time what a hanging disk has held up', async () => {
  const releases: (() => void)[] = [];
  const disk: DiskKeep = { ...idleDisk, written: () => new Promise((resolve) => releases.push(resolve)) };
  const { push, clock, sent, queue } = startQueue({ disk });
  push('a');
  push('b');
  await clock.advance(20_000);
  assert.equal(releases.length, 2);
  releases[1]!();
  await clock.advance(1);
  assert.equal(sent.length, 1);
  releases[0]!();
  await clock.advance(1);
  assert.equal(sent.length, 1);
  releases[2]!();
  await clock.advance(1);
  assert.equal(queue.size, 0);
});

test('sends nothing before it is on disk, with the note that it is tried', async () => {
  const calls: string[] = [];
  let release = () => {};
  const disk: DiskKeep = {
    ...idleDisk,
    add: (record) => calls.push(`add ${record.body}`),
    noteTry: (key) => calls.push(`try ${key}`),
    noteUntried: (key) => calls.push(`untried ${key}`),
    noteDone: (key) => calls.push(`done ${key}`),
    written: () => new Promise((resolve) => (release = resolve)),
  };
  const { push, clock, sent, answerWith } = startQueue({ disk });
  answerWith(() => (sent.length === 1 ? unreached : accepted));
  push('a');
  await clock.advance(10);
  assert.deepEqual(calls, ['add a', 'try key-1']);
  assert.equal(sent.length, 0);
  release();
  await clock.advance(1000);
  assert.equal(sent.length, 1);
  release();
  await clock.advance(10);
  assert.deepEqual(calls.slice(2), ['untried key-1', 'try key-1', 'done key-1']);
});

test('puts what an earlier process has left in terms of its own clock', async () => {
  const hourMs = 60 * minuteMs;
  const start = Date.UTC(2026, 0, 15);
  const kept = (key: string, trackedAt: number, triedAt?: number) => ({
    ...{ key, path: '/api/page-view' as const, body: key, trackedAt, triedAt },
  });
  const disk: DiskKeep = {
    ...idleDisk,
    claim: async () => [
      kept('waited', start - 20 * hourMs),
      kept('too old', start - 25 * hourMs),
      kept('tried lately', start - 20 * hourMs, start - 50 * minuteMs),
      kept('tried long ago', start - 2 * hourMs, start - hourMs),
      kept('tried in the future', start, start + hourMs),
    ],
  };
  const { clock, bodies, kinds, counts } = startQueue({ disk });
  await clock.advance(1000);
  assert.deepEqual(bodies(), ['waited', 'tried lately']);
  assert.deepEqual(kinds(), ['too-old', 'unknown-outcome']);
  assert.equal(counts.dropped, 3);
});
