import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { recordColumns } from '../records/record-columns.ts';

test('the table of records has a column for each value of a payload, in the same order', () => {
  const read = (name: string) => readFileSync(new URL(`./migrations/${name}`, import.meta.url), 'utf8');
  const sql = read('0001-records.sql');
  const [, body = ''] = /create table if not exists records\s*\(\n(.*?)\n\)/s.exec(sql) ?? [];
  const added = ['0003-devices.sql', '0013-waited.sql'].flatMap((name) => [
    ...read(name).matchAll(/add column if not exists (\w+)/g),
  ]);
  const columns = [...body.matchAll(/^ {4}([a-z]\w*) [A-Z]/gm), ...added].map(([, name]) => name);
  assert.deepEqual(columns, ['node', 'batch', ...recordColumns]);
});
