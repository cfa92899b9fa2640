import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, silentLog } from '../../control/test-control.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { createAsOf } from './as-of.ts';
import { buildDays } from './build-days.ts';
import { createBuildNumbers } from './build-numbers.ts';
import { createBuildQueue } from './build-queue.ts';
import { createBuildTurns } from './build-turns.ts';
import { usualLargeDays } from './large-days.ts';
import type { DayState } from './read-days.ts';
import { createReplacedBuilds } from './replaced-builds.ts';
import { createRunBuilds } from './run-builds.ts';
import { createSliceSizes } from './slice-sizes.ts';

const today = '2026-06-01';
const clock = createFakeClock('2026-06-01T12:00:00Z');
const log = silentLog();
const isStopping = () => false;

function dayOf(day: string, build?: string): DayState {
  const of = { records: 1, checksum: '1', clients: 0, asOfMs: 0, isOpen: false, rules: '' };
  return {
    day,
    records: 1,
    checksum: '1',
    built: build === undefined ? undefined : { build, ...of, base: undefined },
  };
}

/** Creates a store that must not be asked for anything. */
function createUntouchedStore(): { store: WebsiteStore; asked: string[] } {
  const asked: string[] = [];
  const refuse = async () => {
    asked.push('asked');
    throw new Error('the store must not be asked in this test');
  };
  return { store: { websiteId: 1, run: refuse, query: refuse } as unknown as WebsiteStore, asked };
}

function openRunBuilds(store: WebsiteStore) {
  const replaced = createReplacedBuilds({
    store: { ofWebsite: () => store },
    asOf: createAsOf(),
    clock,
    log,
  });
  return createRunBuilds({
    replaced,
    takeNumber: createBuildNumbers(clock, () => 0),
    turns: createBuildTurns(),
    isStopping,
    sliceSizes: createSliceSizes(1000, clock),
    largeDays: usualLargeDays,
    completeUpToMs: clock.now,
    rulesOf: () => undefined,
    clock,
  });
}

test('does not start a second build while one is running', async () => {
  const { store } = createUntouchedStore();
  const runBuilds = openRunBuilds(store);
  const first = runBuilds(store, [], today);
  await assert.rejects(runBuilds(store, [], today), /Only one build may run/);
  await first;
  await runBuilds(store, [], today);
});

for (const [what, days] of Object.entries({
  'is older than what it replaces': [dayOf('2026-04-01', '2000')],
  'has its days out of order': [dayOf('2026-04-02'), dayOf('2026-04-01')],
  'has a day twice': [dayOf('2026-04-02'), dayOf('2026-04-02')],
  'has no day': [],
})) {
  test(`writes nothing of a build that ${what}`, async () => {
    const { store, asked } = createUntouchedStore();
    const times = { nowMs: 0, completeMs: 0 };
    const built = buildDays({ store, days, tables: 'closed', build: 1000n, recordsPerSlice: 1000, ...times });
    await assert.rejects(built, assert.AssertionError);
    assert.deepEqual(asked, []);
  });
}

test('builds a waiting day once for everyone who asks for it', async () => {
  const { store } = createUntouchedStore();
  const queue = createBuildQueue({
    runBuilds: openRunBuilds(store),
    refreshDay: () => assert.fail('days that have ended are built as a whole'),
    isQuick: () => false,
    onBuilt: () => {},
    turns: createBuildTurns(),
    isStopping,
    clock,
    log,
  });
  const days = [dayOf('2026-04-01'), dayOf('2026-04-02')];
  const asking = [queue.buildOnce(store, days, today), queue.buildOnce(store, days.slice(1), today)];
  for (const asked of await Promise.allSettled(asking)) {
    assert.equal(asked.status, 'rejected');
    assert.match(String(asked.reason), /must not be asked/);
  }
});
