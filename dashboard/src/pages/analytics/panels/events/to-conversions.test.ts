import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFormat } from '#format/create-format.ts';
import { panelsWords } from '../panels-words.ts';
import { toConversions } from './to-conversions.ts';

const format = createFormat({ locale: 'en-GB', timeZone: 'UTC' });
const forms = panelsWords.visitors;
const row = (event: string, visitors: number) => ({ dimensions: { event }, metrics: { visitors } });

test('shows the share of all visitors, with the same precision in all rows', () => {
  const rows = [row('add-to-cart', 8_204), row('signup', 2_117), row('purchase', 1)];
  const shown = toConversions(rows, 48_213, format, forms).map((item) => item.shown);
  assert.deepEqual(shown, ['17.0%', '4.4%', '<0.1%']);
});

test('says how many visitors that were', () => {
  const [many, one] = toConversions([row('signup', 2_117), row('purchase', 1)], 48_213, format, forms);
  assert.equal(many?.note, '2,117 visitors');
  assert.equal(one?.note, '1 visitor');
});

test('is zero without visitors, and never more than 100%', () => {
  assert.equal(toConversions([row('signup', 0)], 0, format, forms)[0]?.shown, '0.0%');
  assert.equal(toConversions([row('signup', 12)], 11, format, forms)[0]?.shown, '100.0%');
});
