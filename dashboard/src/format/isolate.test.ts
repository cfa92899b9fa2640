import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isolate } from './isolate.ts';

test('isolates right-to-left letters, and begins a path at the left', () => {
  assert.equal(isolate('تسجيل'), '\u2068تسجيل\u2069');
  assert.equal(isolate('/עברית'), '\u2066/עברית\u2069');
});

test('leaves other texts as they are', () => {
  for (const text of ['', 'signup', '/über-uns', '登録', '2 → 3']) assert.equal(isolate(text), text);
});
