import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openFolderPlace } from '../../src/backup/folder-place.ts';
import { saveRecords } from '../../src/backup/save-records.ts';
import { openTestStore } from '../support/test-store.ts';

const { store, close } = await openTestStore();
after(close);

const columns = ['node', 'batch', 'day', 'website_id', 'received_at', 'local_at', 'visitor_id'];
const day = '2026-03-01';

async function insert(node: string, batch: number, rows: number): Promise<void> {
  const time = `${day} 10:00:00`;
  const line = `${JSON.stringify([node, batch, day, 1, time, time, '7'])}\n`;
  const body = Buffer.from(line.repeat(rows));
  await store.insertBatch({ columns, body, rows, queryId: `test-${node}-${batch}` });
}

test('saves the batches around one that is left to the journal', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const batch of [1, 2, 3, 4]) await insert('n1', batch, 10 * batch);
  await insert('n2', 2, 5);
  const days = await saveRecords({
    store: store.forMove(),
    place: openFolderPlace(folder),
    columns,
    known: new Map(),
    openFrom: day,
    isIncluded: ({ node, batch }) => node === 'n2' || (batch !== 2 && batch !== 4),
    onDay: async () => {},
  });
  const saved = days.flatMap(({ pieces }) =>
    pieces.map(({ node, records }): [string, number] => [node, records]),
  );
  assert.deepEqual(saved.sort(), [
    ['n1', 40],
    ['n2', 5],
  ]);
});
