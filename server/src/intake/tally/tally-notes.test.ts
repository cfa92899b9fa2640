import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeVerdictNotes } from './tally-notes.ts';

test('a note stays far below the largest frame, whatever its verdicts say', () => {
  const long = (name: string, at: number, length: number) => `${name}${at}`.padEnd(length, 'x');
  const verdicts = Array.from({ length: 1000 }, (_, at) => ({
    ...{ websiteId: Number.MAX_SAFE_INTEGER, hour: 1_800_000_000_000, key: '0123abcd' },
    ...{ release: long('r', at, 64).replaceAll('x', '"'), outcome: 'refused' },
    sequence: { stream: long('s', at, 32), number: Number.MAX_SAFE_INTEGER - at },
    shape: { code: 400, field: long('f', at, 100), expected: long('e', at, 100), got: long('g', at, 100) },
  }));
  const notes = writeVerdictNotes(verdicts);
  const sent = notes.flatMap((note) => note.match(/"?s\d+x*/g) ?? []);
  assert.equal(new Set(sent).size, verdicts.length);
  for (const note of notes) assert.ok(Buffer.byteLength(note) < 600_000, `${Buffer.byteLength(note)}`);
});
