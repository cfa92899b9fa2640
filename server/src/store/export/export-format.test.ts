import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ExportFormat, formatRules } from './export-format.ts';

/** Counts the records of a text that arrives in pieces of this many bytes. */
function countIn(format: ExportFormat, text: string, pieceBytes: number): number {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) pieces.push(bytes.subarray(at, at + pieceBytes));
  const assembly = formatRules[format].assemble(['a', 'b']);
  assert.equal(Buffer.concat([...assembly.add(pieces)]).toString(), text);
  return assembly.records();
}

test('counts records of CSV and not the lines in their values, however the text is split', () => {
  const text = '"plain",1\n"two\nlines",2\n"a ""quoted""\n\n one",3\n"""\n""",4\n"","\n"\n';
  for (const pieceBytes of [1, 2, 3, 7, 1000]) assert.equal(countIn('csv', text, pieceBytes), 5);
});

test('counts records of NDJSON', () => {
  const text = '{"a":"x\\ny"}\n{"a":"\\""}\n{"a":""}\n';
  for (const pieceBytes of [1, 5, 1000]) assert.equal(countIn('ndjson', text, pieceBytes), 3);
});

test('starts CSV with the names of the columns, and NDJSON with nothing', () => {
  assert.equal(formatRules.csv.assemble(['day', 'path']).head.toString(), '"day","path"\n');
  assert.equal(formatRules.ndjson.assemble(['day', 'path']).head.length, 0);
});
