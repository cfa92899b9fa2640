import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, makeFolder, silentLog } from '../../test-control.ts';
import { openTestDatabase } from '../../test-database.ts';
import { migrate } from '../migrate.ts';
import { initial } from './0001-initial.ts';
import { readTokens } from './0002-read-tokens.ts';
import { accounts } from './0003-accounts.ts';
import { addressRules } from './0008-address-rules.ts';

test('an existing website still distinguishes all of its addresses', async (t) => {
  const database = await openTestDatabase(t, await makeFolder(t));
  const options = { database, clock: createFakeClock('2026-03-10T09:00:00Z'), log: silentLog() };
  await migrate({ ...options, migrations: [initial, readTokens, accounts] });
  const website = { id: 7, domain: 'example.com', timezone: 'UTC', created_at: 0 };
  await database.db
    .insertInto('websites')
    .values({ ...website, client_id_key_encrypted: new Uint8Array([1]) } as never)
    .execute();
  await migrate({ ...options, migrations: [initial, readTokens, accounts, addressRules] });
  const rules = ['ignore_trailing_slash', 'ignore_case', 'ignore_www'] as const;
  const row = await database.db.selectFrom('websites').select(rules).executeTakeFirstOrThrow();
  assert.deepEqual({ ...row }, { ignore_trailing_slash: 0, ignore_case: 0, ignore_www: 0 });
});
