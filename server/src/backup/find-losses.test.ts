import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../control/test-control.ts';
import { dataFolder } from '../files/data-folder.ts';
import { openLedger } from '../loader/open-ledger.ts';
import { findLosses } from './find-losses.ts';

test('names known damage, a store that is not the one that the journal was loaded into, and lost websites', async (t) => {
  const dataDir = await makeFolder(t);
  const { journal, damage } = dataFolder(dataDir);
  let lostIds: number[] = [];
  const control = { websites: { lostIds: async () => lostIds } };
  const lossesWith = (uuid: string) => findLosses({ dataDir, store: { uuid: async () => uuid }, control });
  assert.deepEqual(await lossesWith('a'), [], 'without a journal');
  await mkdir(journal);
  const ledger = await openLedger({ folder: journal });
  assert.deepEqual(await lossesWith('a'), [], 'nothing was loaded yet');
  await ledger.setStore('a');
  await ledger.close();
  assert.deepEqual(await lossesWith('a'), []);
  assert.deepEqual(await lossesWith('b'), ['the store was replaced']);
  await mkdir(damage);
  await writeFile(join(damage, 'store-part-x.json'), JSON.stringify({ id: 'store-part-x' }));
  lostIds = [12];
  assert.deepEqual(await lossesWith('a'), ['store-part-x', 'website 12 was lost']);
});
