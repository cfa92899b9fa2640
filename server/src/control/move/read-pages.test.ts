import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestControl } from '../test-control.ts';
import { openTestDatabase } from '../test-database.ts';
import { readPages } from './read-pages.ts';

test('reads each row of a large table once, in pages', async (t) => {
  const { folder } = await openTestControl(t);
  const { db } = await openTestDatabase(t, folder);
  const rows = Array.from({ length: 23 }, (_, at) => ({
    website_id: 1 + (at % 2),
    hour: Math.floor(at / 4),
    node: 'n1',
    key: '',
    release: ['', '1.0', 'Ä', 'z'][at % 4]!,
    outcome: 'accepted',
    is_numbered: at % 3 === 0 ? 1 : 0,
    records: at,
  }));
  await db.insertInto('tallies').values(rows).execute();
  for (const limit of [1, 5, 23, 24]) {
    const seen: unknown[] = [];
    for await (const page of readPages(db, 'tallies', limit)) {
      assert.ok(page.length <= limit);
      seen.push(...page.map(({ records }) => records));
    }
    assert.deepEqual(
      seen.toSorted((a, b) => Number(a) - Number(b)),
      rows.map(({ records }) => records),
    );
  }
});
