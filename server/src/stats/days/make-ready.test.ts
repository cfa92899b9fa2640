import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebsiteStore } from '../../store/website-store.ts';
import { systemClock } from '../../time/clock.ts';
import type { BuildQueue } from './build-queue.ts';
import { createMakeReady } from './make-ready.ts';
import type { DayState } from './read-days.ts';

const days = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'];
const period = { from: days[0]!, to: days[3]! };

/** While each of the days is built, the next one gets its first records. */
function openDays() {
  const built: string[] = [];
  let withRecords = 1;
  const rowsOf = (names: readonly string[], isBuild: boolean) =>
    names.map((day) => ({
      day,
      records: 1,
      checksum: '1',
      ...(isBuild && { build_text: '1', checksum_text: '1' }),
    }));
  const website = {
    websiteId: 1,
    query: async ({ query }: { query: string }) =>
      query.includes('day_builds') ? rowsOf(built, true) : rowsOf(days.slice(0, withRecords), false),
  } as unknown as WebsiteStore;
  const queue = {
    mayRefresh: () => false,
    async buildOnce(_: WebsiteStore, missing: readonly DayState[]) {
      built.push(...missing.map(({ day }) => day));
      withRecords += 1;
    },
  } as unknown as BuildQueue;
  return { website, queue };
}

/** Opens days that take forever to build. Each of them has had a late record since its last build, if any. */
function openLateDays({ areBuilt }: { areBuilt: boolean }) {
  const built = days.map((day) => ({ day, records: 1, build_text: '1', checksum_text: '1' }));
  const website = {
    websiteId: 1,
    query: async ({ query }: { query: string }) => {
      if (query.includes('day_builds')) return areBuilt ? built : [];
      return days.map((day) => ({ day, records: 2, checksum: '2' }));
    },
  } as unknown as WebsiteStore;
  const queue = { mayRefresh: () => false, buildOnce: () => new Promise(() => {}) } as unknown as BuildQueue;
  return { website, queue };
}

function openReady({ website, queue }: ReturnType<typeof openDays>, { toldMs = 0, patienceMs = 1000 } = {}) {
  return createMakeReady({
    store: { ofWebsite: () => website },
    queue,
    asOf: { ofDays: async () => 1 } as never,
    completeUpToMs: () => 1,
    told: { read: async () => toldMs, raise: async () => {} } as never,
    clock: systemClock,
    sharedMs: 0,
    patienceMs,
  });
}

test('waits for days whose first records come while others are built', async () => {
  const { website, queue } = openDays();
  const ready = openReady({ website, queue });
  const found = await ready([period], '2026-03-04', { store: website, by: 'user' })[0]!;
  assert.deepEqual(
    found.days.map(({ day }) => day),
    days,
  );
});

test('takes past days as they were built before if building them again takes too long', async () => {
  const opened = openLateDays({ areBuilt: true });
  // Answers about other periods are further.
  const ready = openReady(opened, { toldMs: 2, patienceMs: 1 });
  const found = await ready([period], '2026-03-10', { store: opened.website, by: 'user' })[0]!;
  assert.deepEqual(
    found.days.map(({ day, build, records }) => [day, build, records]),
    days.map((day) => [day, '1', 1]),
  );
  assert.equal(found.asOfMs, 1);
});

test('refuses to answer for days that were never built if building them takes too long', async () => {
  const opened = openLateDays({ areBuilt: false });
  const ready = openReady(opened, { patienceMs: 1 });
  const asked = ready([period], '2026-03-10', { store: opened.website, by: 'user' })[0]!;
  await assert.rejects(asked, { name: 'DaysNotReady', fault: 'being-calculated' });
});
