import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toConversions } from './to-conversions.ts';

const format = { number: (value: number) => value.toLocaleString('en-GB') };
const row = (event: string, visitors: number) => ({ dimensions: { event }, metrics: { visitors } });

test('tells the share of all visitors, as exactly as it is worth', () => {
  const rows = [row('add-to-cart', 8_204), row('signup', 2_117), row('purchase', 1)];
  const shown = toConversions(rows, 48_213, format).map((item) => item.shown);
  assert.deepEqual(shown, ['17%', '4.4%', '<0.01%']);
});

test('says how many visitors that were', () => {
  const [many, one] = toConversions([row('signup', 2_117), row('purchase', 1)], 48_213, format);
  assert.equal(many?.note, '2,117 visitors');
  assert.equal(one?.note, '1 visitor');
});

test('is nothing of nobody, and never more than all', () => {
  assert.equal(toConversions([row('signup', 0)], 0, format)[0]?.shown, '0%');
  assert.equal(toConversions([row('signup', 12)], 11, format)[0]?.shown, '100%');
});
