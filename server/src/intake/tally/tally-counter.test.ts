import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TallyCounter } from './tally-counter.ts';

const place = { websiteId: 1, hour: 0, key: 'k', release: '' };

test('numbers that were counted elsewhere stay in few pieces', () => {
  const counter = new TallyCounter();
  for (let note = 0; note < 40; note += 1) {
    const refused = Array.from({ length: 100 }, (_, at) => [
      note * 200 + 2 * at + 1,
      note * 200 + 2 * at + 1,
    ]);
    const numbers = { refused: refused as [number, number][] };
    counter.merge({ counts: [], refusals: [], numbers: [{ ...place, stream: 'a', arrivals: 100, numbers }] });
  }
  const { counts, numbers } = counter.rows()!;
  assert.ok(numbers[0]!.numbers.refused!.length <= 1000);
  const settled = counts.reduce((sum, { records }) => sum + records, 0);
  assert.equal(settled + numbers[0]!.arrivals, 4000);
});
