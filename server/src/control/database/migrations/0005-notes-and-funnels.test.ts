import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, makeFolder, silentLog } from '../../test-control.ts';
import { openTestDatabase } from '../../test-database.ts';
import { createNotes } from '../../websites/notes.ts';
import { createSavedFunnels } from '../../websites/saved-funnels.ts';
import { migrate } from '../migrate.ts';
import { initial } from './0001-initial.ts';
import { readTokens } from './0002-read-tokens.ts';
import { accounts } from './0003-accounts.ts';
import { erasureResults } from './0004-erasure-results.ts';
import { notesAndFunnels } from './0005-notes-and-funnels.ts';
import { funnelOrder } from './0011-funnel-order.ts';

test('adds notes and funnels to a database with websites, and keeps those', async (t) => {
  const database = await openTestDatabase(t, await makeFolder(t));
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const options = { database, clock, log: silentLog() };
  const before = [initial, readTokens, accounts, erasureResults];
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

  await migrate({ ...options, migrations: [...before, notesAndFunnels] });
  const note = { day: '2026-03-01', text: 'Relaunch', author: 'ada@example.com' };
  assert.equal((await createNotes({ database, clock }).add(7, note)).id, 1);
  // Today's code needs today's columns.
  await migrate({ ...options, migrations: [...before, notesAndFunnels, funnelOrder] });
  const steps = [{ page: '/' }, { event: 'signup' }];
  const funnels = createSavedFunnels({ database, clock });
  assert.equal((await funnels.add(7, { name: 'Sign-up', steps, withinDays: null })).id, 1);
});
