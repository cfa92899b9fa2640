import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../time/clock.ts';
import type { DiskKeep } from './disk-keep.ts';
import { makeQueuedAgain } from './make-queued.ts';
import { accepted, startQueue, unreached } from './test-queue.ts';

const minuteMs = 60_000;

const idleDisk: DiskKeep = {
  open: () => {},
  add: () => {},
  noteTry: () => {},
  noteUntried: () => {},
  noteDone: () => {},
  claim: async () => [],
  has: () => true,
  written: async () => {},
  close: async () => {},
};

test('does not send a second time what a hanging disk has delayed', async () => {
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

test('sends nothing before it is on disk, with the note that it is being tried', async () => {
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

test('converts what an earlier process has left to its own clock', async () => {
  const hourMs = 60 * minuteMs;
  const start = Date.UTC(2026, 0, 15);
  const kept = (key: string, trackedAt: number, triedAt?: number) => ({
    key,
    path: '/api/page-view' as const,
    body: key,
    trackedAt,
    tried: triedAt === undefined ? undefined : { at: triedAt, occurredAt: undefined },
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

test('never calls an attempt the first one if an earlier process may have sent the record', () => {
  const kept = { key: 'a', path: '/api/page-view', body: '{}', trackedAt: 0, tried: undefined } as const;
  assert.equal(makeQueuedAgain(kept, systemClock).attempts, 1, 'the next one is the second');
});
