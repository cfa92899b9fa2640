import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, makeFolder, silentLog } from '../../test-control.ts';
import { openTestDatabase } from '../../test-database.ts';
import { createGoals } from '../../websites/goals.ts';
import { createSavedSegments } from '../../websites/saved-segments.ts';
import { migrate } from '../migrate.ts';
import { initial } from './0001-initial.ts';
import { readTokens } from './0002-read-tokens.ts';
import { accounts } from './0003-accounts.ts';
import { erasureResults } from './0004-erasure-results.ts';
import { notesAndFunnels } from './0005-notes-and-funnels.ts';
import { erasedVisits } from './0006-erased-visits.ts';
import { readOrigins } from './0007-read-origins.ts';
import { addressRules } from './0008-address-rules.ts';
import { segmentsAndGoals } from './0009-segments-and-goals.ts';

test('adds segments and goals to a database with websites, and keeps those', async (t) => {
  const database = await openTestDatabase(t, await makeFolder(t));
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const options = { database, clock, log: silentLog() };
  const before = [
    initial,
    readTokens,
    accounts,
    erasureResults,
    notesAndFunnels,
    erasedVisits,
    readOrigins,
    addressRules,
  ];
  await migrate({ ...options, migrations: before });
  const website = {
    id: 7,
    domain: 'example.com',
    timezone: 'UTC',
    contingent: null,
    created_at: 1,
    client_id_key_encrypted: Buffer.from('sealed'),
  };
  await database.db.insertInto('websites').values(website).execute();

  await migrate({ ...options, migrations: [...before, segmentsAndGoals] });
  const segments = createSavedSegments({ database, clock });
  const filters = [{ dimension: 'country', is: 'DE' }] as const;
  assert.equal((await segments.add(7, { name: 'Germany', filters, userId: null })).id, 1);
  const goals = createGoals({ database, clock });
  assert.equal((await goals.add(7, { name: null, goal: { event: 'signup' } })).id, 1);
});
