import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fill } from './fill.ts';

test('puts parts where the sentence names them, in its order', () => {
  assert.deepEqual(fill('{a} and {b}.', { a: 1, b: 2 }), [1, ' and ', 2, '.']);
  assert.deepEqual(fill('No part', {}), ['No part']);
});
