import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, createTestLog } from '../test-control.ts';
import { watchKeyUse } from './watch-key-use.ts';

test('records the last use of each key once, also when it stops', async () => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { log } = createTestLog();
  const written: unknown[] = [];
  const websites = { markKeysUsed: async (uses: readonly unknown[]) => void written.push(...uses) };
  const keyUse = watchKeyUse({ websites, log, intervalMs: 3_600_000 });
  for (let times = 0; times < 3; times += 1) {
    clock.pass(1000);
    keyUse.usedAtMs.set('a', clock.now());
  }
  await keyUse.stop();
  await keyUse.stop();
  assert.deepEqual(written, [{ keyHash: 'a', atMs: clock.now() }]);
});

test('records a use after the clock was set back', async () => {
  const { log } = createTestLog();
  const written: { atMs: number }[] = [];
  const websites = { markKeysUsed: async (uses: readonly { atMs: number }[]) => void written.push(...uses) };
  const keyUse = watchKeyUse({ websites, log, intervalMs: 3_600_000 });
  for (const atMs of [2_000, 1_000]) {
    keyUse.usedAtMs.set('a', atMs);
    await keyUse.stop();
  }
  assert.deepEqual(
    written.map(({ atMs }) => atMs),
    [2_000, 1_000],
  );
});

test('continues when control cannot be written to, and records the use later', async () => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { log, messages } = createTestLog();
  const written: unknown[] = [];
  let isAway = true;
  const markKeysUsed = async (uses: readonly unknown[]) => {
    if (isAway) throw new Error('database is locked');
    written.push(...uses);
  };
  const keyUse = watchKeyUse({ websites: { markKeysUsed }, log, intervalMs: 3_600_000 });
  clock.pass(10);
  keyUse.usedAtMs.set('a', clock.now());
  await keyUse.stop();
  assert.equal(messages.length, 1);
  isAway = false;
  await keyUse.stop();
  assert.equal(written.length, 1);
});
