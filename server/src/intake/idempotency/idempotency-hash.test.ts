import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readIdempotencyKey } from './idempotency-hash.ts';

test('accepts 1 to 255 printable ASCII characters', () => {
  for (const text of ['1', ' ', '~!"{}\\', 'order 4711/retry', 'k'.repeat(255)])
    assert.deepEqual(readIdempotencyKey(text), { text });
});

test('refuses every other value, says why, and does not quote it', () => {
  for (const [value, says] of [
    ['', /expected 1 to 255 characters, got none/],
    ['k'.repeat(256), /expected at most 255 characters, got 256/],
    ['marked\tkey', /expected printable ASCII characters/],
    ['marked\u00e9key', /expected printable ASCII characters/],
    ['marked\u007fkey', /expected printable ASCII characters/],
    [['marked key', 'marked key'], /expected one header, got 2/],
  ] as const) {
    const refusal = readIdempotencyKey(value);
    assert.ok('refused' in refusal, JSON.stringify(value));
    assert.equal(refusal.refused, 'malformed');
    assert.match(refusal.message, /^Idempotency-Key: /);
    assert.match(refusal.message, says);
    assert.doesNotMatch(refusal.message, /marked|kkk/);
  }
});
