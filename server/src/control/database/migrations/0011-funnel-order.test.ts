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
import { funnelOrder } from './0011-funnel-order.ts';

test('existing funnels keep the order in which they were added', async (t) => {
  const database = await openTestDatabase(t, await makeFolder(t));
  const options = { database, clock: createFakeClock('2026-03-10T09:00:00Z'), log: silentLog() };
  const before = [initial, readTokens, accounts, erasureResults, notesAndFunnels];
  await migrate({ ...options, migrations: before });
  const website = { id: 7, domain: 'example.com', timezone: 'UTC', created_at: 0 };
  await database.db
    .insertInto('websites')
    .values({ ...website, client_id_key_encrypted: new Uint8Array([1]) } as never)
    .execute();
  for (const id of [5, 2])
    await database.db
      .insertInto('funnels')
      .values({ id, website_id: 7, name: `f${id}`, steps: '[]', within_days: null, created_at: 0 } as never)
      .execute();
  await migrate({ ...options, migrations: [...before, funnelOrder] });
  const rows = await database.db.selectFrom('funnels').select(['id', 'position']).orderBy('id').execute();
  assert.deepEqual(
    rows.map(({ id, position }) => [id, position]),
    [
      [2, 2],
      [5, 5],
    ],
  );
});
