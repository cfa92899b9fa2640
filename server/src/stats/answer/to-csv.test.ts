import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toCsv } from './to-csv.ts';

test('writes a header and rows that end in CRLF', () => {
  assert.equal(
    toCsv(
      ['page', 'visitors'],
      [
        ['/', 12],
        ['/pricing', 3.5],
      ],
    ),
    'page,visitors\r\n/,12\r\n/pricing,3.5\r\n',
  );
});

test('writes the header alone when there are no rows', () => {
  assert.equal(toCsv(['page', 'visitors'], []), 'page,visitors\r\n');
});

test('puts quotes around what would end a cell or a line, and doubles those inside', () => {
  const row = ['a,b', 'say "hi"', 'two\nlines', 'cr\rlf\r\n', ' plain ', '😀'];
  assert.equal(
    toCsv(['a', 'b', 'c', 'd', 'e', 'f'], [row]),
    'a,b,c,d,e,f\r\n"a,b","say ""hi""","two\nlines","cr\rlf\r\n", plain ,😀\r\n',
  );
});

test('leaves a cell empty for null and for empty text', () => {
  assert.equal(toCsv(['a', 'b', 'c'], [[null, '', 0]]), 'a,b,c\r\n,,0\r\n');
});

test('keeps a row whose only cell is empty', () => {
  assert.equal(toCsv(['page'], [[''], [null], ['/']]), 'page\r\n""\r\n""\r\n/\r\n');
});

for (const start of ['=', '+', '-', '@', '\t', '\r']) {
  test(`puts an apostrophe before text that begins with ${JSON.stringify(start)}`, () => {
    const [, line = ''] = toCsv(['a', 'b'], [[`${start}cmd|' /C calc'!A0`, 1]]).split(/(?<=a,b)\r\n/);
    assert.match(line, /^"?'[=+\-@\t\r]cmd/);
  });
}

test('puts the apostrophe inside of the quotes', () => {
  assert.equal(toCsv(['a'], [['=HYPERLINK("x","y")']]), `a\r\n"'=HYPERLINK(""x"",""y"")"\r\n`);
});

test('guards the header as well', () => {
  assert.equal(toCsv(['=1+1', 'b'], []), `'=1+1,b\r\n`);
});

test('leaves numbers as they are, negative ones too', () => {
  assert.equal(toCsv(['a', 'b'], [[-1, -0.5]]), 'a,b\r\n-1,-0.5\r\n');
});

test('gives every text back when read by the rules of RFC 4180', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('"', '""', ',', '\r\n', '\n', '', "'", '-'),
  );
  const table = fc.array(fc.array(text, { minLength: 2, maxLength: 2 }), { maxLength: 5 });
  fc.assert(
    fc.property(table, (rows) => {
      const guarded = rows.map((row) => row.map((cell) => (/^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)));
      assert.deepEqual(readCsv(toCsv(['a', 'b'], rows)), [['a', 'b'], ...guarded]);
    }),
  );
});

function readCsv(csv: string): string[][] {
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/gy;
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain, end] of csv.matchAll(cell)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain ?? '');
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
