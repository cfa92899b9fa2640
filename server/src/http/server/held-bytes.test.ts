import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HeldBytes } from './held-bytes.ts';

test('returns what arrived, however it was split', () => {
  const piece = fc.uint8Array({ maxLength: 40_000 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(piece, fc.array(piece, { maxLength: 8 }), fc.nat(100_000), (first, others, expected) => {
      const held = new HeldBytes(first, expected);
      for (const other of others) held.add(other);
      const whole = Buffer.concat([first, ...others]);
      assert.equal(held.length, whole.length);
      assert.ok(held.bytes().equals(whole));
    }),
  );
});

test('needs about as much memory for single bytes as for a whole block', () => {
  const size = 256 * 1024;
  const held = new HeldBytes(Buffer.from('x'), size);
  const piece = Buffer.from('x');
  for (let sent = 1; sent < size; sent += 1) held.add(piece);
  assert.equal(held.bytes().buffer.byteLength, size);
});

test('does not allocate what was only announced', () => {
  const part = Buffer.alloc(50_000);
  const held = new HeldBytes(part, 512 * 1024);
  held.add(part);
  assert.equal(held.bytes().buffer.byteLength, 200_000);
});
