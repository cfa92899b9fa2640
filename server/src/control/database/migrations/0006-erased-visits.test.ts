import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createErasures } from '../../privacy/erasures.ts';
import { createFakeClock, makeFolder, silentLog } from '../../test-control.ts';
import { openTestDatabase } from '../../test-database.ts';
import { migrate } from '../migrate.ts';
import { initial } from './0001-initial.ts';
import { readTokens } from './0002-read-tokens.ts';
import { accounts } from './0003-accounts.ts';
import { erasureResults } from './0004-erasure-results.ts';
import { notesAndFunnels } from './0005-notes-and-funnels.ts';
import { erasedVisits } from './0006-erased-visits.ts';

test('an existing erasure still applies', async (t) => {
  const database = await openTestDatabase(t, await makeFolder(t));
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const options = { database, clock, log: silentLog() };
  const before = [initial, readTokens, accounts, erasureResults, notesAndFunnels];
  await migrate({ ...options, migrations: before });
  const row = { website_id: 7, visitor_id: '5', received_before: 1000, finished_at: null, records: null };
  // The table of that time had no other columns.
  await database.db
    .insertInto('erasures')
    .values(row as never)
    .execute();

  await migrate({ ...options, migrations: [...before, erasedVisits] });
  assert.deepEqual(await createErasures({ database, clock }).list(), [
    { websiteId: 7, visitorId: '5', receivedBefore: 1000, appliedBefore: 1000, visits: [] },
  ]);
});
