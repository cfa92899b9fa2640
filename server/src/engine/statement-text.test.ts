import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatOf, hasInlineRows, isSelect, mentionsParameter, parseInsert } from './statement-text.ts';

test('reads table, columns and format of an insert', () => {
  assert.deepEqual(parseInsert('INSERT INTO records (node, `batch`)\nFORMAT JSONCompactEachRow\n'), {
    table: 'records',
    columns: ['node', 'batch'],
    format: 'JSONCompactEachRow',
  });
  assert.deepEqual(parseInsert('insert into d.t format TabSeparated'), {
    table: 'd.t',
    columns: undefined,
    format: 'TabSeparated',
  });
});

test('refuses an insert that contains anything more', () => {
  for (const sql of [
    'insert into t (a) values (1) format JSONEachRow',
    'insert into t (a) settings async_insert = 1 format JSONEachRow',
    'insert into t (a b) format JSONEachRow',
    'insert into t () format JSONEachRow',
    'insert into t format CSV',
    'insert into t;drop table t format JSONEachRow',
  ]) {
    assert.throws(() => parseInsert(sql), /DB::Exception/, sql);
  }
});

test('distinguishes a select from other statements', () => {
  assert.ok(isSelect('-- why\n /* and */ with 1 as a select a'));
  assert.ok(!isSelect('selection'));
  assert.ok(!isSelect('alter table t delete where 1'));
});

test('finds the format only at the end', () => {
  assert.equal(formatOf('select 1\nFORMAT JSONEachRow'), 'JSONEachRow');
  assert.equal(formatOf(`select ' format CSV'`), undefined);
  assert.equal(formatOf('select 1'), undefined);
});

test('distinguishes rows inside an insert from an insert that selects', () => {
  assert.ok(hasInlineRows('insert into t format JSONEachRow {"a":1}'));
  assert.ok(!hasInlineRows('insert into t select 1'));
  assert.ok(!hasInlineRows('insert into t (a) values (1)'));
});

test('finds a parameter only by its whole name', () => {
  assert.ok(mentionsParameter('select { a : String }', 'a'));
  assert.ok(!mentionsParameter('select {ab:String}', 'a'));
});
