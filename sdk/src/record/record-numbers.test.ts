import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecordNumbers } from './record-numbers.ts';

test('counts from 1 within a stream of 16 characters', () => {
  const numbers = new RecordNumbers();
  const taken = [numbers.take(), numbers.take(), numbers.take()];
  const [stream] = taken[0]!.split('.');
  assert.match(stream!, /^[\w-]{16}$/);
  assert.deepEqual(taken, [`${stream}.1`, `${stream}.2`, `${stream}.3`]);
});

test('never has the same stream twice', () => {
  const streams = Array.from({ length: 1000 }, () => new RecordNumbers().take());
  assert.equal(new Set(streams).size, 1000);
  for (const stream of streams) assert.match(stream, /^[\w-]{16}\.1$/);
});
