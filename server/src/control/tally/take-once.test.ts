import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addNumber, type Range, subtract, unite } from './number-ranges.ts';
import { takeOnce } from './take-once.ts';

const anyRanges = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 30 }).map((numbers) => {
  const ranges: Range[] = [];
  for (const number of numbers) addNumber(ranges, number);
  return ranges;
});

test('takes each number for the first set that has it', () => {
  fc.assert(
    fc.property(fc.array(anyRanges, { maxLength: 8 }), (sets) => {
      const take = takeOnce(sets.flat());
      let before: Range[] = [];
      for (const ranges of sets) {
        assert.deepEqual(take(ranges), subtract(ranges, before));
        before = unite(before, ranges);
      }
    }),
  );
});
