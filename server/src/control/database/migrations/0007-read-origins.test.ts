import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, makeFolder, silentLog } from '../../test-control.ts';
import { openTestDatabase } from '../../test-database.ts';
import { migrate } from '../migrate.ts';
import { initial } from './0001-initial.ts';
import { readTokens } from './0002-read-tokens.ts';
import { accounts } from './0003-accounts.ts';
import { erasureResults } from './0004-erasure-results.ts';
import { notesAndFunnels } from './0005-notes-and-funnels.ts';
import { erasedVisits } from './0006-erased-visits.ts';
import { readOrigins } from './0007-read-origins.ts';

test('an existing website lets no other origin read', async (t) => {
  const database = await openTestDatabase(t, await makeFolder(t));
  const options = { database, clock: createFakeClock('2026-03-10T09:00:00Z'), log: silentLog() };
  const before = [initial, readTokens, accounts, erasureResults, notesAndFunnels, erasedVisits];
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

  await migrate({ ...options, migrations: [...before, readOrigins] });
  // Later columns of a website don't exist yet.
  const row = await database.db.selectFrom('websites').select('read_origins').executeTakeFirstOrThrow();
  assert.deepEqual(JSON.parse(row.read_origins), []);
});
