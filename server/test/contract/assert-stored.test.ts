import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertStored } from './assert-stored.ts';
import { readCase } from './load-cases.ts';

const check = (more: object, row: Record<string, unknown>) =>
  assertStored(
    readCase(
      'accepted/a-case.json',
      'accepted',
      JSON.stringify({
        title: 'accepts it',
        about: 'Body',
        request: { method: 'POST', path: '/' },
        answer: { code: 200 },
        ...more,
      }),
    ),
    row,
  );
const fails = { name: 'AssertionError' };

test('compares only the columns that a case names', () => {
  check({ stored: { parameter_names: ['b', 'a'] } }, { parameter_names: ['b', 'a'], city: 'Berlin' });
  assert.throws(
    () => check({ stored: { parameter_names: ['a', 'b'] } }, { parameter_names: ['b', 'a'] }),
    fails,
  );
  assert.throws(() => check({ stored: { city: 'Berlin' } }, {}), fails);
});

test('accepts 0 and 1 for a flag', () => {
  check({ stored: { has_client_id: true } }, { has_client_id: 1 });
  check({ stored: { has_client_id: false } }, { has_client_id: false });
  assert.throws(() => check({ stored: { has_client_id: false } }, { has_client_id: 1 }), fails);
});

test('finds a text that must not be stored in any column, including lists', () => {
  check({ storedNowhere: ['s3cr3t'] }, { query: 'plan=team', parameter_values: [] });
  assert.throws(() => check({ storedNowhere: ['s3cr3t'] }, { parameter_values: ['is s3cr3t'] }), fails);
});
