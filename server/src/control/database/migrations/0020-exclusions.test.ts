import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, makeFolder, silentLog } from '../../test-control.ts';
import { openTestDatabase } from '../../test-database.ts';
import { migrate } from '../migrate.ts';
import { initial } from './0001-initial.ts';
import { exclusions } from './0020-exclusions.ts';

test('an existing website excludes nothing', async (t) => {
  const database = await openTestDatabase(t, await makeFolder(t));
  const options = { database, clock: createFakeClock('2026-03-10T09:00:00Z'), log: silentLog() };
  await migrate({ ...options, migrations: [initial] });
  const website = { id: 7, domain: 'example.com', timezone: 'UTC', created_at: 0 };
  await database.db
    .insertInto('websites')
    .values({ ...website, client_id_key_encrypted: new Uint8Array([1]) } as never)
    .execute();
  await migrate({ ...options, migrations: [initial, exclusions] });
  const row = await database.db.selectFrom('websites').select('exclusions').executeTakeFirstOrThrow();
  assert.equal(row.exclusions, '[]');
});
