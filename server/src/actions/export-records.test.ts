import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { openTestControl } from '../control/test-control.ts';
import { refuseEntries } from '../control/test-database.ts';
import { exportRecords } from './export-records.ts';
import { ada, aTest, readEntries } from './test-actions.ts';

test('writes the entry before the first record leaves', async (t) => {
  const { control } = await openTestControl(t);
  const records = await exportRecords({ control, open: async () => Readable.from(['{}\n']) }, ada, aTest, {
    person: true,
  });
  assert.equal((await readEntries(control)).length, 1);
  assert.equal(await text(records), '{}\n');
});

test('writes no entry if the export cannot be opened, and exports nothing if the entry cannot be written', async (t) => {
  const { control, folder } = await openTestControl(t);
  const open = async () => {
    throw new Error('the store is away');
  };
  await assert.rejects(exportRecords({ control, open }, ada, aTest, {}), { message: 'the store is away' });
  assert.deepEqual(await readEntries(control), []);
  await refuseEntries(folder);
  const records = Readable.from(['{}\n']);
  await assert.rejects(exportRecords({ control, open: async () => records }, ada, aTest, {}), /no entries/);
  assert.ok(records.destroyed);
});

test('the entry for a website says which days were exported', async (t) => {
  const { control } = await openTestControl(t);
  const open = async () => Readable.from([]);
  await exportRecords({ control, open }, 'command line', aTest, { from: '2026-01-31' });
  await exportRecords({ control, open }, 'command line', aTest, {});
  const entries = await readEntries(control);
  assert.deepEqual(
    entries.map(({ action, detail }) => [action, detail]),
    [
      ['website.exported', { from: '2026-01-31' }],
      ['website.exported', {}],
    ],
  );
});
