import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuditLog } from '../../accounts/audit-log.ts';
import { createUsers } from '../../accounts/users.ts';
import { createFakeClock, makeFolder, silentLog } from '../../test-control.ts';
import { openTestDatabase } from '../../test-database.ts';
import { createReadTokens } from '../../websites/read-tokens.ts';
import { migrate } from '../migrate.ts';
import { initial } from './0001-initial.ts';
import { readTokens } from './0002-read-tokens.ts';
import { accounts } from './0003-accounts.ts';
import { languagesAndDevices } from './0010-languages-and-devices.ts';

test('adds accounts to a database with websites, and keeps those with their keys and tokens', async (t) => {
  const database = await openTestDatabase(t, await makeFolder(t));
  const { db } = database;
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const options = { database, clock, log: silentLog() };
  await migrate({ ...options, migrations: [initial, readTokens] });
  const sealed = new Uint8Array(Buffer.from('sealed'));
  const websites = ['example.com', 'xn--mller-kva.example'].map((domain, at) => ({
    id: 7 + at,
    domain,
    timezone: 'Europe/Berlin',
    contingent: at === 0 ? null : 5000,
    created_at: at,
    client_id_key_encrypted: sealed,
  }));
  // These are columns of that time, which today's types don't know.
  await db
    .insertInto('websites')
    .values(websites as never)
    .execute();
  const key = { key_hash: 'hash', website_id: 7, key_encrypted: sealed, created_at: 3 };
  await db
    .insertInto('api_keys')
    .values(key as never)
    .execute();
  await db.updateTable('control_state').set({ revision: 5, last_website_id: 8 }).execute();
  const { token } = await createReadTokens({ database, clock }).add(7, 'export');

  await migrate({ ...options, migrations: [initial, readTokens, accounts] });

  assert.deepEqual(
    (await db.selectFrom('websites').selectAll().orderBy('id').execute()).map((row) => ({ ...row })),
    websites.map((website) => ({
      ...website,
      name: website.domain,
      version: 1,
      retention_days: null,
      deleting_since: null,
      share_token_hash: null,
      share_token_encrypted: null,
    })),
  );
  assert.deepEqual(
    (await db.selectFrom('api_keys').selectAll().execute()).map((row) => ({ ...row })),
    [{ ...key, expires_at: null, last_used_at: null }],
  );
  assert.deepEqual(await createReadTokens({ database, clock }).find(token), { id: 1, websiteId: 7 });
  const state = await db.selectFrom('control_state').selectAll().executeTakeFirstOrThrow();
  assert.deepEqual(
    { ...state },
    {
      id: 1,
      revision: 5,
      last_website_id: 8,
      key_check: null,
      last_read_token_id: 1,
      last_user_id: 0,
      last_audit_id: 0,
      setup_token_hash: null,
    },
  );

  // Today's code needs today's columns.
  await migrate({ ...options, migrations: [initial, readTokens, accounts, languagesAndDevices] });
  const users = createUsers({ database, clock });
  const first = { email: 'ada@example.com', password: 'tea at eleven' };
  assert.equal((await users.add({ ...first, role: 'admin' })).id, 1);
  const second = await users.add({
    email: 'bob@example.com',
    password: 'tea at eleven',
    role: 'viewer',
    websites: [7],
  });
  assert.deepEqual(second.websites, [7]);
  const auditLog = createAuditLog({ database, clock });
  await auditLog.add({ actor: 'command line', action: 'user.added', subject: first.email });
  assert.equal((await auditLog.list({ limit: 1 }))[0]?.id, 1);
});
