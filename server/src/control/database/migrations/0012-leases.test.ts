import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, makeFolder, silentLog } from '../../test-control.ts';
import { openTestDatabase } from '../../test-database.ts';
import { createUsage } from '../../websites/usage.ts';
import { migrate } from '../migrate.ts';
import { initial } from './0001-initial.ts';
import { leases } from './0012-leases.ts';

test('keeps the usage in a database from before leases existed', async (t) => {
  const database = await openTestDatabase(t, await makeFolder(t));
  const options = { database, clock: createFakeClock('2026-03-10T09:00:00Z'), log: silentLog() };
  const others = Array.from({ length: 10 }, (_, at) => ({
    number: at + 2,
    name: `other ${at}`,
    up: async () => {},
  }));
  await migrate({ ...options, migrations: [initial, ...others] });
  const usage = createUsage(database);
  const settled = [{ websiteId: 1, month: '2026-03', records: 5 }];
  await usage.checkpoint({ node: 'n1', position: { segment: 1, offset: 2 }, settled });
  await migrate({ ...options, migrations: [initial, ...others, leases] });
  assert.deepEqual(await usage.read('n1'), {
    position: { segment: 1, offset: 2 },
    settled,
    leased: [],
    elsewhere: [],
  });
  const ask = { node: 'n2', websiteId: 1, month: '2026-03', held: 0, needed: 9, limit: 10 };
  assert.deepEqual(await usage.lease(ask), { leased: 5, elsewhere: 5 });
});
