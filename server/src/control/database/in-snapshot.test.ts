import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Kysely } from 'kysely';
import { openTestControl } from '../test-control.ts';
import { openTestDatabase } from '../test-database.ts';
import { inSnapshot } from './in-snapshot.ts';
import { inTransaction } from './in-transaction.ts';
import type { Tables } from './tables.ts';

const numberIn = async (db: Kysely<Tables>) =>
  (await db.selectFrom('tally_checkpoints').select('number').executeTakeFirst())?.number;

test('reads one moment, while another transaction writes', async (t) => {
  const { folder } = await openTestControl(t);
  const [one, other] = [await openTestDatabase(t, folder), await openTestDatabase(t, folder)];
  await one.db.insertInto('tally_checkpoints').values({ node: 'a', number: 1 }).execute();
  await inSnapshot(one.db, async (trx) => {
    assert.equal(await numberIn(trx), 1);
    await inTransaction(other.db, async (writing) => {
      await writing.updateTable('tally_checkpoints').set({ number: 2 }).execute();
      assert.equal(await numberIn(trx), 1);
    });
    assert.equal(await numberIn(trx), 1);
  });
  await inTransaction(other.db, async () => {
    assert.equal(await inSnapshot(one.db, numberIn), 2);
  });
});
