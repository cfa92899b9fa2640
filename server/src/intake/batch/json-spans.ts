/** A value's place in the bytes of a JSON text: from its first byte to the one after its last. */
export type Span = { start: number; end: number };

/** A member's name, and where its value begins. */
export type MemberStart = { name: Span; valueStart: number };

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/**
 * Finds the members of the object that begins at `start`, one after the other. Returns where the object ends,
 * or undefined if its members can't be told apart. This only finds the places of names and values: `JSON.parse`
 * decides whether each of them is valid. Whoever has found the end of a value may pass it to `next`.
 */
export function* findMembers(
  bytes: Buffer,
  start: number,
): Generator<MemberStart, number | undefined, number | undefined> {
  if (bytes[start] !== openBrace) return undefined;
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === closeBrace) return at + 1;
  for (;;) {
    const nameEnd = endOfValue(bytes, at);
    const afterName = nameEnd === undefined ? bytes.length : skipSpace(bytes, nameEnd);
    if (bytes[afterName] !== colon) return undefined;
    const valueStart = skipSpace(bytes, afterName + 1);
    const known = yield { name: { start: at, end: nameEnd! }, valueStart };
    const end = known ?? endOfValue(bytes, valueStart);
    if (end === undefined) return undefined;
    at = skipSpace(bytes, end);
    if (bytes[at] === closeBrace) return at + 1;
    if (bytes[at] !== comma) return undefined;
    at = skipSpace(bytes, at + 1);
  }
}

/** Does the same for the elements of an array, and says how many values each has in it. */
export function* findElements(
  bytes: Buffer,
  start: number,
): Generator<Span & { values: number }, number | undefined> {
  if (bytes[start] !== openBracket) return undefined;
  let at = skipSpace(bytes, start + 1);
  if (bytes[at] === closeBracket) return at + 1;
  const count = { values: 0 };
  for (;;) {
    const end = endOfValue(bytes, at, count);
    if (end === undefined) return undefined;
    yield { start: at, end, values: count.values };
    at = skipSpace(bytes, end);
    if (bytes[at] === closeBracket) return at + 1;
    if (bytes[at] !== comma) return undefined;
    at = skipSpace(bytes, at + 1);
  }
}

export const beginsArray = (bytes: Buffer, at: number): boolean => bytes[at] === openBracket;

/** Returns the first place from `at` on that is not white space. */
export function skipSpace(bytes: Buffer, at: number): number {
  let next = at;
  while (isSpace(bytes[next])) next += 1;
  return next;
}

/** Returns where the value that begins at `start` ends. Undefined if there is none. */
export function endOfValue(bytes: Buffer, start: number, count = { values: 0 }): number | undefined {
  const first = bytes[start];
  count.values = 1;
  if (first === quote) return endOfText(bytes, start);
  if (first === openBrace || first === openBracket) return endOfBrackets(bytes, start, count);
  let at = start;
  while (at < bytes.length && isPlain(bytes[at]!)) at += 1;
  return at === start ? undefined : at;
}

/**
 * Takes brackets of both kinds alike: a text in which they don't match is refused when it is parsed. A bracket
 * that opens, and a comma, each announce a value, so there are never more values than those.
 */
function endOfBrackets(bytes: Buffer, start: number, count: { values: number }): number | undefined {
  let depth = 0;
  let values = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      const end = endOfText(bytes, at);
      if (end === undefined) return undefined;
      at = end - 1;
    } else if (byte === openBrace || byte === openBracket) {
      depth += 1;
      values += 1;
    } else if (byte === comma) values += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      depth -= 1;
      if (depth > 0) continue;
      count.values = values;
      return at + 1;
    }
  }
  return undefined;
}

function endOfText(bytes: Buffer, start: number): number | undefined {
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) return at + 1;
    if (byte === backslash) at += 1;
  }
  return undefined;
}

const isSpace = (byte: number | undefined) =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Whether a byte can be part of a number, `true`, `false` or `null`. */
const isPlain = (byte: number) =>
  (byte >= 0x30 && byte <= 0x39) ||
  (byte >= 0x61 && byte <= 0x7a) ||
  byte === 0x2d ||
  byte === 0x2b ||
  byte === 0x2e ||
  byte === 0x45;
