import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { secretOf, website } from '../test-intake.ts';
import { createReceipts } from './receipts.ts';

const receipts = createReceipts();
const own = website();
const other = website({ id: 2, clientIdKey: secretOf(2) });
const received = fc.record({
  receivedAtMs: fc.integer({ min: Date.parse('2020-01-01'), max: Date.parse('2059-01-01') }),
  order: fc.integer({ min: 0, max: 65_535 }),
});
const node = fc
  .integer({ min: 0, max: 2 ** 40 - 1 })
  .map((number) => `n${number.toString(16).padStart(10, '0')}`);

test('a receipt names its record, to its own website only', () => {
  fc.assert(
    fc.property(node, received, (name, one) => {
      const receipt = receipts.writerOf(name)(own, one);
      assert.match(receipt, /^[0-9a-z]{26,28}$/);
      assert.deepEqual(receipts.read(own, receipt), { ...one, node: name });
      assert.equal(receipts.read(other, receipt), undefined);
    }),
  );
});

test('a receipt with another character names nothing', () => {
  const receipt = receipts.writerOf('n0123456789')(own, { receivedAtMs: 1_773_133_200_000, order: 3 });
  for (let at = 0; at < receipt.length; at += 1)
    for (const character of '0a7z') {
      const changed = receipt.slice(0, at) + character + receipt.slice(at + 1);
      if (changed !== receipt) assert.equal(receipts.read(own, changed), undefined, changed);
    }
  for (const text of ['', 'x', `${receipt}0`, `${receipt}\0`, receipt.toUpperCase(), '-'.repeat(26)])
    assert.equal(receipts.read(own, text), undefined, text);
});

test('a website keeps its receipts when its settings change', () => {
  const one = { receivedAtMs: 1_773_133_200_000, order: 0 };
  const receipt = receipts.writerOf('n0123456789')(own, one);
  assert.ok(receipts.read(website({ version: 2, name: 'Renamed' }), receipt));
});
