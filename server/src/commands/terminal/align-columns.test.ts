import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alignColumns } from './align-columns.ts';

test('aligns columns, and keeps text from others within its cell', () => {
  assert.equal(
    alignColumns([
      ['event', 'visitors'],
      ['a\nb\u001b[2J', '7'],
    ]),
    'event              visitors\na\\u000ab\\u001b[2J  7',
  );
});
