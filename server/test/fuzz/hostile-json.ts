import fc from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';

/** JSON as a client might get it wrong, and the places that differ from what is valid. */
export type HostileJson = { text: Buffer; changed: string[]; isParsable: boolean };

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type How = 'replace' | 'drop' | 'double' | 'misspell' | 'add' | 'wrap' | 'repeat';
export type Change = { at: number; how: How; raw: Buffer };

const utf8 = (text: string) => Buffer.from(text);
const quoted = (text: string) => utf8(JSON.stringify(text));
const nested = (depth: number) => utf8(`${'['.repeat(depth)}${']'.repeat(depth)}`);

const numbers = `
  0 -0 -1 1 12 13 31 32 33 1e2 0.5 100000 100000.1 100001 1e308 1e309 -1e309 1e-400 2147483648 4294967296
  9007199254740991 9007199254740992 9007199254740993 18446744073709551616 123456789012345678901234567890
`;
const notJson = `00 +1 .5 1. 0x10 NaN Infinity undefined 'a' {a:1} [1,] {"a":1,} "\\x" "\\u12" "\\ud8 tru "`;
const words = `
  null true EU eu XK de DE en-US xx __proto__ constructor toString hasOwnProperty length ../.. %00 ${'%'}zz
  today 7d 0d 9999d 99999d thisWeek 2026-02-30 2026-13-01 0000-01-01 9999-12-31 2026-11-03T25:61
  page country visitors conversions dimension http:// https://a.test HTTPS://A.TEST:99999/ https://xn--a/ https://[::1]/
  ::1 1.2.3.4 999.1.1.1 fe80::1%eth0 ::ffff:1.2.3.4 Europe/Berlin Mars/Base *.* =1+1 <script> '; --
`;
const odd = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00\ud800',
  'a\u202eb\u202c',
  '\u2066x\u2069',
  '\u200b\u200d\ufeff',
  'e\u0301',
  'é',
  '\u212a',
  'ﬀ',
  'İ',
  'ß',
  '👩‍👩‍👧',
  '\u{10ffff}',
  '\r\n',
  '\u2028',
  '\u0085',
];
const lengths = [63, 64, 65, 100, 101, 255, 256, 257, 400, 401, 512, 513, 2048, 2049, 8192, 8193, 40_000];

const values: Buffer[] = [
  ...numbers.trim().split(/\s+/).map(utf8),
  ...notJson.trim().split(/\s+/).map(utf8),
  ...words.trim().split(/\s+/).map(quoted),
  ...odd.map(quoted),
  ...lengths.flatMap((length) => [
    quoted('a'.repeat(length)),
    quoted('👩‍👩‍👧'.repeat(Math.ceil(length / 8))),
  ]),
  ...[8192, 8193].map((length) => quoted('https://a.test/'.padEnd(length, 'ä'))),
  ...['null', 'true', 'false', '[]', '{}', '[null]', '[[]]', '[{}]', '{"":""}', '{"__proto__":{"a":1}}'].map(
    utf8,
  ),
  // Not UTF-8: a surrogate, an overlong slash, a byte that never occurs, a cut character.
  ...['eda080', 'c0af', 'ff', 'e282'].map((hex) =>
    Buffer.concat([utf8('"'), Buffer.from(hex, 'hex'), utf8('"')]),
  ),
  utf8('"\u0001"'),
  utf8('"a\nb"'),
  nested(20),
  nested(2000),
  utf8(`[${'{},'.repeat(300)}{}]`),
  utf8(`[${'"a",'.repeat(500)}"a"]`),
  utf8('9'.repeat(2000)),
];

export const change: fc.Arbitrary<Change> = fc.record({
  at: fc.nat(),
  how: fc.constantFrom<How>(
    'replace',
    'replace',
    'replace',
    'drop',
    'double',
    'misspell',
    'add',
    'wrap',
    'repeat',
  ),
  raw: fc.oneof(
    { arbitrary: fc.constantFrom(...values), weight: 6 },
    { arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => utf8(JSON.stringify(value))), weight: 1 },
    { arbitrary: fc.string({ unit: anyCharacter, maxLength: 300 }).map(quoted), weight: 1 },
    { arbitrary: fc.double().map((value) => utf8(String(value))), weight: 1 },
  ),
});

/** Writes a valid value with changes at some of its members. Works on text, which can say what no value can. */
export function writeHostile(valid: unknown, changes: readonly Change[]): HostileJson {
  const places = placesOf(valid as Json, '');
  const chosen = new Map(changes.map((one) => [places[one.at % places.length]!, one]));
  const text = write(valid as Json, '', chosen);
  let isParsable = true;
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text));
  } catch {
    isParsable = false;
  }
  return { text, changed: [...chosen].map(changedPlace), isParsable };
}

/** If an element of a list is missing, the others have another place. */
function changedPlace([place, { how }]: [string, Change]): string {
  return how === 'drop' ? place.replace(/\[\d+\]$/, '') : place;
}

function placesOf(value: Json, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  const members = Array.isArray(value)
    ? value.map((member, index): [string, Json] => [`${path}[${index}]`, member])
    : Object.entries(value).map(([name, member]): [string, Json] => [
        path === '' ? name : `${path}.${name}`,
        member,
      ]);
  return [path, ...members.flatMap(([place, member]) => placesOf(member, place))];
}

function write(value: Json, path: string, chosen: ReadonlyMap<string, Change>): Buffer {
  const one = chosen.get(path);
  if (one?.how === 'replace') return one.raw;
  const plain = writePlain(value, path, chosen);
  if (one?.how === 'wrap') return Buffer.concat([utf8('['), plain, utf8(']')]);
  if (one?.how === 'repeat')
    return Buffer.concat([utf8('['), ...Array(14).fill(Buffer.concat([plain, utf8(',')])), plain, utf8(']')]);
  if (one?.how === 'add' && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const more = Buffer.concat([utf8('{"Extra":'), one.raw]);
    return Buffer.concat([more, utf8(Object.keys(value).length === 0 ? '' : ','), plain.subarray(1)]);
  }
  return plain;
}

function writePlain(value: Json, path: string, chosen: ReadonlyMap<string, Change>): Buffer {
  if (typeof value !== 'object' || value === null) return utf8(JSON.stringify(value));
  const join = (parts: Buffer[], [open, close]: [string, string]) =>
    Buffer.concat([
      utf8(open),
      ...parts.flatMap((part, index) => (index === 0 ? [part] : [utf8(','), part])),
      utf8(close),
    ]);
  if (Array.isArray(value)) {
    const kept = value.map((member, index) => ({ place: `${path}[${index}]`, member }));
    const left = kept.filter(({ place }) => chosen.get(place)?.how !== 'drop');
    return join(
      left.map(({ place, member }) => write(member, place, chosen)),
      ['[', ']'],
    );
  }
  const parts = Object.entries(value).flatMap(([name, member]) => {
    const place = path === '' ? name : `${path}.${name}`;
    const one = chosen.get(place);
    if (one?.how === 'drop') return [];
    const written = write(member, place, chosen);
    const named = (as: string, what: Buffer) => Buffer.concat([quoted(as), utf8(':'), what]);
    if (one?.how === 'double') return [named(name, one.raw), named(name, written)];
    if (one?.how === 'misspell')
      return [named(name.toLowerCase() === name ? name.toUpperCase() : name.toLowerCase(), written)];
    return [named(name, written)];
  });
  return join(parts, ['{', '}']);
}
