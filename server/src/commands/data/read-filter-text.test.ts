import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFilterText } from './read-filter-text.ts';

test('reads each way to compare, with the name that a value belongs to', () => {
  assert.deepEqual(
    readFilterText('country=DE&page~/blog&browser!=Firefox&os=iOS|Android&parameterValue[plan]=pro'),
    [
      { dimension: 'country', is: 'DE' },
      { dimension: 'page', contains: '/blog' },
      { dimension: 'browser', isNot: 'Firefox' },
      { dimension: 'os', anyOf: ['iOS', 'Android'] },
      { dimension: 'parameterValue', of: 'plan', is: 'pro' },
    ],
  );
});

test('takes encoded separators as values, and an empty value as a value', () => {
  assert.deepEqual(readFilterText('page=/a%26b%7Cc=d&source='), [
    { dimension: 'page', is: '/a&b|c=d' },
    { dimension: 'source', is: '' },
  ]);
});

test('says what it expected', () => {
  for (const text of ['', 'country', '=DE', 'a=1&', 'page=%']) {
    assert.throws(() => readFilterText(text), { name: 'CommandError', message: /^--filter: expected/ });
  }
});
