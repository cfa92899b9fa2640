import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../test/support/any-character.ts';
import { frameHeaderBytes, markBytes, readFrame, writeFrame } from './segment-file.ts';
import { payloadOf } from './test-journal.ts';

const anyMark = fc.uint8Array({ minLength: markBytes, maxLength: markBytes });
const before = 5;

function frame(payload: string, mark?: Uint8Array, isFirst = false, note?: string): Buffer {
  const characters = payload.length + 1 + (note?.length ?? 0);
  const bytes = Buffer.alloc(before + frameHeaderBytes + markBytes + characters * 3, 0xff);
  return bytes.subarray(0, before + writeFrame(bytes, before, payload, mark, isFirst, note));
}

const anyNote = fc.string({ unit: anyCharacter }).map((text) => JSON.stringify([text.toWellFormed()]));

test('a frame returns the payload, the mark and the note that were written', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, unit: anyCharacter }),
      fc.option(anyMark, { nil: undefined }),
      fc.option(anyNote, { nil: undefined }),
      (text, mark, note) => {
        const bytes = frame(text.toWellFormed(), mark, false, note);
        const found = readFrame(bytes, before);
        assert.ok(found.kind === 'whole');
        assert.equal(bytes.toString('utf8', found.start, found.end), text.toWellFormed());
        assert.equal(found.end, bytes.length);
        const from = found.note;
        assert.equal(from && bytes.toString('utf8', from, found.start - 1), note);
        assert.deepEqual(
          found.mark === undefined ? undefined : [...bytes.subarray(found.mark, found.mark + markBytes)],
          mark && [...mark],
        );
      },
    ),
  );
});

test('a frame without a mark is written as it was before marks existed', () => {
  const payload = payloadOf(1);
  const bytes = frame(payload).subarray(before);
  assert.equal(bytes.readUInt32LE(0), payload.length);
  assert.equal(bytes.length, frameHeaderBytes + payload.length);
});

test('a frame can be a note alone', () => {
  const bytes = frame('', undefined, true, '["a note"]');
  const found = readFrame(bytes, before);
  assert.ok(found.kind === 'whole');
  assert.deepEqual([found.start, found.end, found.isFirst], [bytes.length, bytes.length, true]);
  assert.equal(bytes.toString('utf8', found.note, found.start), '["a note"]\n');
  tryDamage(bytes);
});

test('every flipped bit of a frame with a note makes it invalid', () =>
  tryDamage(frame(payloadOf(1), Buffer.from('0123456789abcdef'), false, '["web-1",7,"",""]')));

for (const isFirst of [false, true]) {
  const which = isFirst ? 'the first frame of a group' : 'a later frame';
  test(`every truncation of ${which} is short, and every flipped bit makes it invalid`, () =>
    tryDamage(frame(payloadOf(1), Buffer.from('0123456789abcdef'), isFirst)));
}

function tryDamage(bytes: Buffer): void {
  for (let end = before; end < bytes.length; end += 1)
    assert.equal(readFrame(bytes.subarray(0, end), before).kind, 'short');
  for (let at = before; at < bytes.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const damaged = Buffer.from(bytes);
      damaged[at]! ^= 1 << bit;
      assert.notEqual(readFrame(damaged, before).kind, 'whole', `bit ${bit} of byte ${at - before}`);
    }
  }
}

test('a frame says whether a group begins with it', () => {
  for (const isFirst of [false, true])
    for (const mark of [undefined, Buffer.alloc(markBytes, 7)]) {
      const found = readFrame(frame(payloadOf(1), mark, isFirst), before);
      assert.deepEqual(found.kind === 'whole' && [found.isFirst, found.mark !== undefined], [
        isFirst,
        mark !== undefined,
      ]);
    }
});

test('a marked frame with room only for its mark is damaged', () => {
  for (let length = 0; length <= markBytes; length += 1) {
    const bytes = Buffer.alloc(200);
    bytes.writeUInt32LE(0x8000_0000 + length);
    assert.equal(readFrame(bytes, 0).kind, 'damaged');
  }
});
