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

test('waits for days whose first records come while others are built', async () => {
  const { website, queue } = openDays();
  const ready = createMakeReady({
    store: { ofWebsite: () => website },
    queue,
    asOf: { ofDays: async () => 1 } as never,
    completeUpToMs: () => 1,
    told: { read: async () => 0, raise: async () => {} } as never,
    clock: systemClock,
    sharedMs: 0,
    patienceMs: 1000,
  });
  const found = await ready([period], '2026-03-04', { store: website, by: 'user' })[0]!;
  assert.deepEqual(
    found.days.map(({ day }) => day),
    days,
  );
});
