import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KyselyPlugin } from 'kysely';
import { inTransaction } from '../database/in-transaction.ts';
import { openTestControl } from '../test-control.ts';
import { openTestDatabase } from '../test-database.ts';
import { writeTally } from './write-tally.ts';

test('writes a thousand streams in few statements, because others who write are waiting', async (t) => {
  const { control, folder } = await openTestControl(t);
  const { db } = await openTestDatabase(t, folder);
  let statements = 0;
  const counting: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const place = { websiteId: 1, hour: 3_600_000, key: 'k', release: '' };
  for (const number of [1, 2]) {
    const numbers = Array.from({ length: 1000 }, (_, at) => ({
      ...{ ...place, stream: `s${at}`, arrivals: 1 },
      numbers: { accepted: [[number, number]] as const },
    }));
    const keys = Array.from({ length: 300 }, (_, at) => ({ websiteId: at + 1, key: `k${number}` }));
    await inTransaction(db.withPlugin(counting), (trx) =>
      writeTally(trx, 'a', { number, keys, rows: { counts: [], refusals: [], numbers } }),
    );
  }
  assert.ok(statements < 30, `${statements} statements`);
  const { streams } = await control.tallies.read(1, 0, Number.MAX_SAFE_INTEGER);
  assert.equal(streams.length, 1000);
  for (const { rows } of streams)
    assert.deepEqual(
      rows.map(({ arrivals, numbers }) => [arrivals, numbers]),
      [[2, { accepted: [[1, 2]] }]],
    );
  const { keys } = await control.tallies.ofNode('a');
  assert.ok(keys.length === 300 && keys.every(({ key }) => key === 'k2'));
});
