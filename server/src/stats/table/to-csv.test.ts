import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownText } from '@trackside/contract/stats/shown-text.ts';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/support/any-character.ts';
import { harmlessText } from '../../text/harmless-text.ts';
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

test('writes only the header when there are no rows', () => {
  assert.equal(toCsv(['page', 'visitors'], []), 'page,visitors\r\n');
});

test('quotes what would end a cell, doubles quotes inside, and keeps each row on one line', () => {
  const row = ['a,b', 'say "hi"', 'two\nlines', 'a;b\r\n', ' plain ', '😀'];
  assert.equal(
    toCsv(['a', 'b', 'c', 'd', 'e', 'f'], [row]),
    'a,b,c,d,e,f\r\n"a,b","say ""hi""",two lines,"a;b ", plain ,😀\r\n',
  );
});

test('leaves a cell empty for null and for empty text', () => {
  assert.equal(toCsv(['a', 'b', 'c'], [[null, '', 0]]), 'a,b,c\r\n,,0\r\n');
});

test('keeps a row whose only cell is empty', () => {
  assert.equal(toCsv(['page'], [[''], [null], ['/']]), 'page\r\n""\r\n""\r\n/\r\n');
});

for (const start of ['=', '+', '-', '@', '＝', '＋', '－', '＠', ' =', '\t=', '\r\n=', '"=', '\u00a0=']) {
  test(`puts an apostrophe into text that begins with ${JSON.stringify(start)}`, () => {
    for (const before of ['', 'a;', 'a,', 'a;\t']) {
      const [, line = ''] = toCsv(['a'], [[`${before}${start}cmd|' /C calc'!A0`]]).split('\r\n');
      assert.match(line, /'[=+\-@＝＋－＠]cmd/);
    }
  });
}

test('puts the apostrophe inside the quotes', () => {
  assert.equal(toCsv(['a'], [['=HYPERLINK("x","y")']]), `a\r\n"'=HYPERLINK(""x"",""y"")"\r\n`);
});

test('guards the header as well', () => {
  assert.equal(toCsv(['=1+1', 'b'], []), `'=1+1,b\r\n`);
});

test('writes rates with four digits instead of 16', () => {
  assert.equal(toCsv(['a', 'b', 'c'], [[3 / 7, 2 / 3, 12_345_678]]), 'a,b,c\r\n0.4286,0.6667,12345678\r\n');
});

test('spells out invisible characters', () => {
  assert.equal(toCsv(['a'], [['invoice\u202efdp.exe']]), 'a\r\ninvoice\\u{202e}fdp.exe\r\n');
});

test('leaves numbers unchanged, even negative ones', () => {
  assert.equal(toCsv(['a', 'b'], [[-1, -0.5]]), 'a,b\r\n-1,-0.5\r\n');
});

const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.array(fc.constantFrom(...'=+-@＝＋－＠;,\t\r\n" \u00a0\'a1')).map((signs) => signs.join('')),
);
const table = fc.array(fc.tuple(text, fc.nat(9), text, text), { maxLength: 5 });

test('returns every text when read by the rules of RFC 4180, except for what is made harmless', () => {
  fc.assert(
    fc.property(table, (rows) => {
      const expected = rows.map((row) =>
        row.map((cell) => (typeof cell === 'number' ? String(cell) : shownText(harmlessText(cell)))),
      );
      assert.deepEqual(readCsv(toCsv(['a', 'b', 'c', 'd'], rows)), [['a', 'b', 'c', 'd'], ...expected]);
    }),
  );
});

test('leaves harmless text unchanged', () => {
  for (const plain of ['/a-b?c=d', 'C++', 'me@example.com', "'=1", 'a = b; c', 'Zürich, 😀', ''])
    assert.equal(harmlessText(plain), plain);
});

test('has no cell that begins a formula, however a program separates and quotes', () => {
  fc.assert(
    fc.property(table, fc.constantFrom(',', ';', '\t'), (rows, separator) => {
      const csv = toCsv(['a', 'b', 'c', 'd'], rows);
      for (const quotes of ['at the start', 'anywhere', 'none'] as const)
        for (const cell of cellsOf(csv, separator, quotes)) {
          assert.doesNotMatch(cell, /^[\s"]*[=+\-@＝＋－＠]/u);
          assert.doesNotMatch(cell, /^[\t\r\n]/);
        }
    }),
    { numRuns: 300 },
  );
});

/** Splits CSV into cells like programs that follow the format only roughly. */
function cellsOf(csv: string, separator: string, quotes: 'at the start' | 'anywhere' | 'none'): string[] {
  const cells = [''];
  let isQuoted = false;
  for (const sign of csv.replaceAll('\r\n', '\n')) {
    const isAtStart = isQuoted || cells.at(-1) === '';
    if (sign === '"' && (quotes === 'anywhere' || (quotes === 'at the start' && isAtStart))) {
      isQuoted = !isQuoted;
      if (quotes === 'anywhere') continue;
    }
    if (!isQuoted && (sign === separator || sign === '\n')) cells.push('');
    else cells.push(cells.pop()! + sign);
  }
  return cells;
}

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
