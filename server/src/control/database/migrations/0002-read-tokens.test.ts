import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, makeFolder, silentLog } from '../../test-control.ts';
import { openTestDatabase } from '../../test-database.ts';
import { createReadTokens } from '../../websites/read-tokens.ts';
import { migrate } from '../migrate.ts';
import { initial } from './0001-initial.ts';
import { readTokens } from './0002-read-tokens.ts';

test('adds read tokens to a database with websites, and keeps those', async (t) => {
  const database = await openTestDatabase(t, await makeFolder(t));
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const options = { database, clock, log: silentLog() };
  await migrate({ ...options, migrations: [initial] });
  const website = {
    id: 7,
    domain: 'example.com',
    timezone: 'UTC',
    contingent: null,
    created_at: 1,
    client_id_key_encrypted: Buffer.from('sealed'),
  };
  await database.db.insertInto('websites').values(website).execute();

  await migrate({ ...options, migrations: [initial, readTokens] });
  const { id, websiteId } = await createReadTokens({ database, clock }).add(7, 'export');
  assert.deepEqual({ id, websiteId }, { id: 1, websiteId: 7 });
  const state = await database.db.selectFrom('control_state').selectAll().executeTakeFirstOrThrow();
  assert.deepEqual(
    { ...state },
    { id: 1, revision: 0, last_website_id: 0, key_check: null, last_read_token_id: 1 },
  );
});
