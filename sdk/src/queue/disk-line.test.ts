import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../server/test/support/any-character.ts';
import { type DiskNote, readLines, tryNote, writeLine } from './disk-line.ts';

const record = (key: string, body = '{}'): DiskNote => [
  'record',
  key,
  5,
  '/api/page-view',
  body,
  `stream-${key}.1`,
];
const kept = (key: string, at?: number, body = '{}') => ({
  key,
  path: '/api/page-view',
  body,
  sequence: `stream-${key}.1`,
  trackedAt: 5,
  tried: at === undefined ? undefined : { at, occurredAt: undefined },
});
const read = (...notes: DiskNote[]) => readLines(Buffer.from(notes.map(writeLine).join('')));

test('reads back what is not done', () => {
  const { records } = read(record('a'), record('b'), ['try', 'a', 7], ['try', 'b', 8], ['done', 'a']);
  assert.deepEqual(records, [kept('b', 8)]);
});

test('remembers the first attempt that may have arrived', () => {
  assert.deepEqual(read(record('a'), ['try', 'a', 7], ['try', 'a', 9]).records, [kept('a', 7)]);
  const notes: DiskNote[] = [
    ['try', 'a', 7],
    ['untried', 'a'],
    ['try', 'a', 9],
  ];
  assert.deepEqual(read(record('a'), ...notes).records, [kept('a', 9)]);
  assert.deepEqual(read(record('a'), ...notes.slice(0, 2)).records, [kept('a')]);
});

test('reads back with which time the first of those attempts was made', () => {
  const [found] = read(record('a'), tryNote('a', 7, 3), tryNote('a', 9, 4)).records;
  assert.deepEqual(found?.tried, { at: 7, occurredAt: 3 });
});

test('reads what an earlier version has left, which knew neither numbers nor times', () => {
  const { records, damaged } = read(['record', 'a', 5, '/api/page-view', '{}'], ['try', 'a', 7]);
  assert.deepEqual([records, damaged], [[{ ...kept('a', 7), sequence: undefined }], 0]);
});

test('reads any body unchanged', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      const body = JSON.stringify(text);
      assert.deepEqual(read(record('a', body)).records, [kept('a', undefined, body)]);
    }),
  );
});

test('skips a last line that is cut anywhere, and says where it begins', () => {
  const whole = writeLine(record('a'));
  const last = writeLine(record('b', JSON.stringify('漢')));
  const bytes = Buffer.from(whole + last);
  for (let length = whole.length; length < bytes.length; length += 1) {
    const { records, damaged, wholeBytes } = readLines(bytes.subarray(0, length));
    assert.deepEqual([records.length, damaged, wholeBytes], [1, 0, whole.length]);
  }
});

test('skips and counts damaged lines, and reads the others', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (place, change) => {
      const lines = [record('a'), record('b'), record('c')].map(writeLine);
      const bytes = Buffer.from(lines.join(''));
      const middle = lines[0]!.length + (place % (lines[1]!.length - 1));
      bytes[middle] = bytes[middle]! ^ change;
      const { records, damaged } = readLines(bytes);
      assert.ok(damaged >= 1);
      assert.deepEqual(
        records.map(({ key }) => key),
        ['a', 'c'],
      );
    }),
  );
});

test('treats a note of a later version as damaged, and nothing else', () => {
  const { records, damaged } = read(record('a'), ['later', 'a'] as never, record('b'));
  assert.deepEqual([records.length, damaged], [2, 1]);
});
