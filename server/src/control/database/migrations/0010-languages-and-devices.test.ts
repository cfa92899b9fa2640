import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, makeFolder, silentLog } from '../../test-control.ts';
import { openTestDatabase } from '../../test-database.ts';
import { migrate } from '../migrate.ts';
import { initial } from './0001-initial.ts';
import { readTokens } from './0002-read-tokens.ts';
import { accounts } from './0003-accounts.ts';
import { languagesAndDevices } from './0010-languages-and-devices.ts';

test('an existing user has the language of the browser, and stays signed in', async (t) => {
  const database = await openTestDatabase(t, await makeFolder(t));
  const options = { database, clock: createFakeClock('2026-03-10T09:00:00Z'), log: silentLog() };
  await migrate({ ...options, migrations: [initial, readTokens, accounts] });
  const { db } = database;
  const user = { id: 7, email: 'ada@example.com', password_hash: 'x', role: 'admin', created_at: 0 } as const;
  await db.insertInto('users').values(user).execute();
  const session = { token_hash: 'y', user_id: 7, created_at: 0, last_used_at: 0, expires_at: 1 };
  await db.insertInto('sessions').values(session).execute();
  await migrate({ ...options, migrations: [initial, readTokens, accounts, languagesAndDevices] });
  const { language } = await db.selectFrom('users').select('language').executeTakeFirstOrThrow();
  const { device } = await db.selectFrom('sessions').select('device').executeTakeFirstOrThrow();
  assert.deepEqual([language, device], [null, null]);
});
