import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHealth } from './read-health.ts';

type Parts = Parameters<typeof readHealth>[0];

function healthOf(
  changes: {
    isFull?: boolean;
    isControlFailing?: boolean;
    isStoreAway?: boolean;
    unansweredMs?: number;
    loader?: Partial<Parts['loader']>;
    engine?: Partial<Parts['engine']>;
    damage?: Parts['damage'];
  } = {},
) {
  return readHealth({
    isControlFailing: changes.isControlFailing ?? false,
    isStoreAway: changes.isStoreAway ?? false,
    journal: {
      isFull: () => changes.isFull ?? false,
      oldestUnansweredMs: () => changes.unansweredMs ?? 3,
    },
    loader: {
      loadedRows: 1,
      insertedBatches: 1,
      unverifiedBatches: 0,
      lagMs: 900,
      waitingBytes: 0,
      toCompareBatches: 0,
      toLoadAgain: { batches: 0, records: 0 },
      lastError: undefined,
      storeUuid: 'u',
      ...changes.loader,
    },
    engine: { state: 'ready', restarts: 0, brokenParts: 0, sinceMs: 0, ...changes.engine },
    damage: changes.damage ?? [],
  });
}

test('reports nothing about a healthy node', () => {
  assert.deepEqual(healthOf(), { isAccepting: true, degraded: [] });
});

test('does not accept records while the journal is full, and says what to do', () => {
  const { isAccepting, degraded } = healthOf({ isFull: true });
  assert.equal(isAccepting, false);
  assert.match(degraded[0]!.why, /free up space, raise journal-max-bytes, or lower min-free-bytes/);
});

test('keeps accepting without an engine, and suggests repair when the store cannot open', () => {
  const restarting = healthOf({ engine: { state: 'restarting', lastError: 'out of memory' } });
  assert.deepEqual(restarting, {
    isAccepting: true,
    degraded: [
      {
        part: 'engine',
        why: 'restarting: out of memory',
        state: 'restarting',
        reason: 'out of memory',
      },
    ],
  });
  const [closed] = healthOf({ engine: { state: 'cannot-open' } }).degraded;
  assert.match(
    closed!.why,
    /^cannot-open; run `trackside doctor`, then `trackside repair` if the store is damaged$/,
  );
});

test('distinguishes a locked store, and an engine without a process, from a damaged store', () => {
  const lastError = 'waiting for `trackside export` (pid 7) to finish with the store';
  const held = healthOf({ engine: { state: 'locked', lastError } });
  const engine = { part: 'engine', why: `locked: ${lastError}`, state: 'locked', reason: lastError };
  assert.deepEqual(held, { isAccepting: true, degraded: [engine] });
  const [none] = healthOf({ engine: { state: 'cannot-start', lastError: 'spawn EMFILE' } }).degraded;
  assert.match(none!.why, /^cannot-start: spawn EMFILE; raise the limits on open files/);
});

test('does not accept records while the disk does not answer', () => {
  assert.deepEqual(healthOf({ unansweredMs: 4900 }), { isAccepting: true, degraded: [] });
  assert.deepEqual(healthOf({ unansweredMs: 7400 }), {
    isAccepting: false,
    degraded: [{ part: 'journal', why: 'the disk has not responded for 7 s: check it' }],
  });
});

test('says how much has yet to be loaded again', () => {
  const { isAccepting, degraded } = healthOf({
    loader: { toLoadAgain: { batches: 50, records: 2_000_000 } },
  });
  assert.equal(isAccepting, true);
  assert.deepEqual(degraded, [
    { part: 'loader', why: 'loading again from the journal: 50 batches, 2,000,000 records left' },
  ]);
});

test('names a loader that fails or is far behind, once', () => {
  assert.deepEqual(healthOf({ loader: { lagMs: 15_000 } }).degraded, []);
  assert.deepEqual(healthOf({ loader: { lagMs: 61_400 } }).degraded, [
    { part: 'loader', why: '61 s behind' },
  ]);
  const failing = healthOf({ loader: { lagMs: 61_400, lastError: 'timeout' } });
  assert.deepEqual(failing, { isAccepting: true, degraded: [{ part: 'loader', why: 'timeout' }] });
});

test('names all known damage, and keeps accepting', () => {
  const foundAt = '2026-03-10T09:00:00.000Z';
  const { isAccepting, degraded } = healthOf({
    damage: [
      { id: 'a', kind: 'journal-frames', says: 'bytes are unreadable', todo: 'check the disk', foundAt },
      { id: 'b', kind: 'store-part', says: 'a part is damaged', todo: 'wait', foundAt },
    ],
  });
  assert.equal(isAccepting, true);
  assert.deepEqual(degraded, [
    { part: 'journal', why: 'bytes are unreadable: check the disk', damage: 'a' },
    { part: 'store', why: 'a part is damaged: wait', damage: 'b' },
  ]);
});

test('says that the settings database cannot be read, and still accepts', () => {
  const health = healthOf({ isControlFailing: true });
  assert.equal(health.isAccepting, true);
  assert.deepEqual(
    health.degraded.map(({ part }) => part),
    ['control'],
  );
});

test('says what to do about an outside store that cannot be reached or has lost parts', () => {
  const outside = { host: 'http://db:8123', lastError: 'http://db:8123: connect ECONNREFUSED' } as const;
  const [away] = healthOf({ engine: { ...outside, state: 'unreachable' } }).degraded;
  assert.match(away!.why, /^unreachable: http:\/\/db:8123: connect ECONNREFUSED; check the network/);
  const [broken] = healthOf({ engine: { host: outside.host, brokenParts: 2 } }).degraded;
  assert.match(broken!.why, /has set 2 damaged parts aside: see system\.detached_parts/);
});

test('a store that does not confirm records is a reason to send them elsewhere', () => {
  const { isAccepting, degraded } = healthOf({ isStoreAway: true });
  assert.equal(isAccepting, false);
  assert.deepEqual(
    degraded.map(({ part }) => part),
    ['store'],
  );
});
