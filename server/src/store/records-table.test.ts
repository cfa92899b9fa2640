import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { recordColumns } from '../records/record-columns.ts';

test('the table of records has a column for each value of a payload, in the same order', () => {
  const sql = readFileSync(new URL('./migrations/0001-records.sql', import.meta.url), 'utf8');
  const [, body = ''] = /create table if not exists records\s*\(\n(.*?)\n\)/s.exec(sql) ?? [];
  const columns = [...body.matchAll(/^ {4}([a-z]\w*) [A-Z]/gm)].map(([, name]) => name);
  assert.deepEqual(columns, ['node', 'batch', ...recordColumns]);
});
