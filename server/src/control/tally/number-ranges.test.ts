import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addNumber, cut, type Range, sizeOf, subtract, unite } from './number-ranges.ts';

const anyNumbers = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 60 });

/** The same set, number by number. */
function listOf(ranges: readonly Range[]): number[] {
  return ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, at) => from + at));
}

function rangesOf(numbers: readonly number[]): Range[] {
  const ranges: Range[] = [];
  for (const number of numbers) addNumber(ranges, number);
  return ranges;
}

const sorted = (numbers: Iterable<number>) => [...new Set(numbers)].sort((a, b) => a - b);

test('a set has the numbers that were added, in as few ranges as possible', () => {
  fc.assert(
    fc.property(anyNumbers, (numbers) => {
      const ranges = rangesOf(numbers);
      assert.deepEqual(listOf(ranges), sorted(numbers));
      assert.equal(sizeOf(ranges), new Set(numbers).size);
      for (const [at, [from]] of ranges.entries())
        if (at > 0) assert.ok(from > ranges[at - 1]![1] + 1, 'ranges that touch are one');
    }),
  );
});

test('unites, subtracts and cuts as sets of numbers', () => {
  fc.assert(
    fc.property(anyNumbers, anyNumbers, anyNumbers, (a, b, c) => {
      const [x, y, z] = [rangesOf(a), rangesOf(b), rangesOf(c)] as const;
      assert.deepEqual(unite(x, y, z), rangesOf([...a, ...b, ...c]));
      assert.deepEqual(listOf(subtract(x, y)), sorted(a.filter((number) => !b.includes(number))));
      assert.deepEqual(listOf(cut(x, 10, 20)), sorted(a.filter((number) => number >= 10 && number <= 20)));
    }),
  );
});
