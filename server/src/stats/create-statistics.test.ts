import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ClickHouseError } from '@clickhouse/client';
import type { Website } from '../control/websites/website-row.ts';
import type { Store } from '../store/open-store.ts';
import { systemClock } from '../time/clock.ts';
import { createStatistics } from './create-statistics.ts';
import { StoreAway } from './faults.ts';

const website = { id: 1, timezone: 'UTC' } as Website;
const missingColumn = new ClickHouseError({
  message: 'no base_records',
  code: '47',
  type: 'UNKNOWN_IDENTIFIER',
});

/** Asks a store that lacks a column. */
async function ask({ isMigrated }: { isMigrated: boolean }): Promise<unknown> {
  const lacking = { query: () => Promise.reject(missingColumn), withSignal: () => lacking };
  const statistics = createStatistics({
    store: {
      ofWebsite: () => lacking as never as ReturnType<Store['ofWebsite']>,
      isMigrated: async () => isMigrated,
    },
    days: { readyAll: (periods) => periods.map(() => Promise.reject(missingColumn)) },
    clock: systemClock,
    completeUpToMs: Date.now,
    saved: { goalsOf: async () => [], findSegment: async () => undefined },
  });
  const [answer] = statistics.answerScreen(website, [{ kind: 'query', question: { period: '7d' } }]);
  return await answer!.catch((error: unknown) => error);
}

test('a missing column means that the store is being set up, as long as it is', async () => {
  const fault = await ask({ isMigrated: false });
  assert.ok(fault instanceof StoreAway, String(fault));
  assert.equal(fault.fault, 'engine-away');
});

test('a missing column in a store that is up to date is a bug', async () => {
  assert.equal(await ask({ isMigrated: true }), missingColumn);
});
