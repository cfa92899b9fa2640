import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quotaLevel } from './quota-level.ts';

test('a quota is near its limit from 80% on, and full when it is used up', () => {
  const levelOf = (used: number) => quotaLevel({ used, limit: 1_000 });
  assert.deepEqual([0, 799, 800, 999, 1_000, 1_001].map(levelOf), [
    'calm',
    'calm',
    'near',
    'near',
    'full',
    'full',
  ]);
});

test('without a limit nothing is used up, and a quota of 0 is full from the start', () => {
  assert.equal(quotaLevel({ used: 1e9, limit: null }), 'calm');
  assert.equal(quotaLevel({ used: 0, limit: 0 }), 'full');
});
