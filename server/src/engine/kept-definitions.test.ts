import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createKeptDefinitions } from './kept-definitions.ts';

const database = 'store/45c/45cbfb98-f5ff-47f9-a124-0798344b321c';
const records = `${database}/records.sql`;
const definition = (column: string) =>
  `ATTACH TABLE _ UUID '0c2a'\n(\n    \`${column}\` UInt32\n)\nENGINE = MergeTree\nORDER BY ${column}\n` +
  'SETTINGS index_granularity = 8192\n';
const texts = {
  'metadata/trackside.sql': "ATTACH DATABASE _ UUID '45cbfb98'\nENGINE = Atomic\n",
  [records]: definition('day'),
  [`${database}/visits.sql`]:
    "ATTACH TABLE _ UUID '1d3b'\n(\n    `day` Date\n)\nENGINE = Merge('trackside', '^v$')\n",
};

function openStore(t: TestContext, files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'trackside-definitions-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const place of ['metadata', `${database}/all_1_1_0`])
    mkdirSync(join(folder, place), { recursive: true });
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  for (const [path, text] of Object.entries(files)) write(path, text);
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  return { definitions: createKeptDefinitions(folder), write, read, folder };
}

test('puts back every definition that is empty, and touches nothing else', (t) => {
  const { definitions, write, read } = openStore(t, texts);
  assert.deepEqual(definitions.restore(), []);
  definitions.keep();
  for (const [path, text] of Object.entries(texts)) {
    write(path, '');
    assert.deepEqual(definitions.findBroken(), [path]);
    assert.deepEqual(definitions.restore(), [path]);
    assert.equal(read(path), text);
  }
  write(records, 'scrambled');
  assert.deepEqual(definitions.restore(), [], 'other damage is left alone');
  assert.deepEqual(definitions.findBroken(), []);
});

test('keeps the last definition that was not empty', (t) => {
  const { definitions, write, read } = openStore(t, texts);
  definitions.restore();
  definitions.keep();
  write(records, definition('local_day'));
  definitions.keep();
  write(records, '');
  definitions.keep();
  definitions.restore();
  assert.equal(read(records), definition('local_day'));
});

test('removes the definition of a table that never had one, and not of one that was dropped before', (t) => {
  const { definitions, write, read, folder } = openStore(t, {});
  assert.deepEqual(definitions.restore(), []);
  write(records, '');
  assert.deepEqual(definitions.restore(), [records]);
  assert.throws(() => read(records), /ENOENT/);
  write(records, definition('day'));
  definitions.keep();
  rmSync(join(folder, records));
  definitions.keep();
  write(records, '');
  definitions.restore();
  assert.throws(() => read(records), /ENOENT/, 'a new table does not become the one before');
});

test('leaves a store alone that has no copies yet', (t) => {
  const { definitions, read } = openStore(t, { ...texts, [records]: '' });
  assert.deepEqual(definitions.restore(), []);
  assert.equal(read(records), '');
});
