import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Field,
  readInteger,
  readList,
  readStruct,
  writeInteger,
  writeList,
  writeStruct,
} from './thrift-compact.ts';

test('reads a struct as the specification writes it', () => {
  // Field 1, i32 5; field 2, true; field 20, binary "ab"; the end.
  const bytes = Buffer.from([0x15, 0x0a, 0x11, 0x08, 0x28, 0x02, 0x61, 0x62, 0x00]);
  const { fields, end } = readStruct(bytes);
  assert.deepEqual(fields, [
    { id: 1, type: 5, value: Buffer.of(0x0a) },
    { id: 2, type: 1, value: Buffer.of() },
    { id: 20, type: 8, value: Buffer.of(2, 0x61, 0x62) },
  ]);
  assert.equal(end, bytes.length);
  assert.deepEqual(writeStruct(fields), bytes);
});

test('returns integers unchanged, up to the largest that JavaScript represents exactly', () => {
  const zigzagMax = Math.floor(Number.MAX_SAFE_INTEGER / 2);
  const integer = fc.oneof(fc.integer(), fc.integer({ min: -zigzagMax, max: zigzagMax }));
  fc.assert(fc.property(integer, (number) => assert.equal(readInteger(writeInteger(number)), number)));
});

test('returns structs and lists unchanged, even nested ones', () => {
  const { struct } = fc.letrec<{ struct: Buffer; value: { type: number; value: Buffer } }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.boolean().map((isTrue) => ({ type: isTrue ? 1 : 2, value: Buffer.of() })),
      fc.integer().map((number) => ({ type: 6, value: writeInteger(number) })),
      fc.uint8Array({ minLength: 8, maxLength: 8 }).map((bytes) => ({ type: 7, value: Buffer.from(bytes) })),
      fc.string().map((text) => ({ type: 8, value: binary(text) })),
      fc.array(fc.string(), { maxLength: 40 }).map((texts) => ({
        type: 9,
        value: writeList({ type: 8, items: texts.map(binary) }),
      })),
      fc.array(fc.boolean(), { maxLength: 20 }).map((flags) => ({
        type: 9,
        value: writeList({ type: 1, items: flags.map((flag) => Buffer.of(flag ? 1 : 2)) }),
      })),
      tie('struct').map((value) => ({ type: 12, value })),
    ),
    struct: fc
      .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 300 }), tie('value')), { selector: ([id]) => id })
      .map((entries) => writeStruct(entries.map(([id, value]): Field => ({ id, ...value })))),
  }));
  fc.assert(
    fc.property(struct, fc.array(struct, { maxLength: 20 }), (one, many) => {
      assert.deepEqual(writeStruct(readStruct(one).fields), one);
      const list = writeList({ type: 12, items: many });
      assert.deepEqual(readList(list), { type: 12, items: many });
    }),
  );
});

test('refuses bytes that end too early', () => {
  for (const bytes of [[], [0x15], [0x15, 0x80], [0x18, 0x05, 0x61], [0x19, 0xf8, 0x05]]) {
    assert.throws(() => readStruct(Buffer.from(bytes)), /got its end/, JSON.stringify(bytes));
  }
});

function binary(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([lengthOf(bytes.length), bytes]);
}

function lengthOf(length: number): Buffer {
  return length < 128 ? Buffer.of(length) : Buffer.of((length & 0x7f) | 0x80, length >> 7);
}
