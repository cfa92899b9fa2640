/**
 * The part of Thrift's compact protocol that Parquet's footer needs. A value stays in its encoded bytes until
 * someone reads it, so that values we don't understand are passed on unchanged.
 */

/** `value` is encoded. A boolean has no value, because its type says whether it is true or false. */
export type Field = { id: number; type: number; value: Buffer };
export type List = { type: number; items: Buffer[] };

const types = { true: 1, false: 2, byte: 3, i16: 4, i32: 5, i64: 6, double: 7, binary: 8, list: 9, set: 10 };
const structType = 12;
const endOfStruct = 0;
/** A list of at least this length has its length behind the header. */
const longList = 15;

export function readStruct(bytes: Buffer, start = 0): { fields: Field[]; end: number } {
  const fields: Field[] = [];
  let id = 0;
  let at = start;
  for (;;) {
    const header = byteAt(bytes, at);
    at += 1;
    if (header === endOfStruct) return { fields, end: at };
    const type = header & 0x0f;
    const step = header >> 4;
    if (step === 0) {
      const own = readVarint(bytes, at);
      id = unzigzag(own.number);
      at = own.end;
    } else {
      id += step;
    }
    const end = type === types.true || type === types.false ? at : skip(bytes, at, type);
    fields.push({ id, type, value: bytes.subarray(at, end) });
    at = end;
  }
}

export function writeStruct(fields: readonly Field[]): Buffer {
  const parts: Buffer[] = [];
  let last = 0;
  for (const { id, type, value } of fields) {
    const step = id - last;
    if (step > 0 && step < 16) parts.push(Buffer.of((step << 4) | type));
    else parts.push(Buffer.of(type), writeInteger(id));
    parts.push(value);
    last = id;
  }
  return Buffer.concat([...parts, Buffer.of(endOfStruct)]);
}

export function readList(value: Buffer): List {
  const { type, length, end } = readListHeader(value, 0);
  const items: Buffer[] = [];
  let at = end;
  for (let index = 0; index < length; index += 1) {
    const next = skipItem(value, at, type);
    items.push(value.subarray(at, next));
    at = next;
  }
  return { type, items };
}

export function writeList({ type, items }: List): Buffer {
  const { length } = items;
  const header =
    length < longList
      ? Buffer.of((length << 4) | type)
      : Buffer.concat([Buffer.of((longList << 4) | type), writeVarint(length)]);
  return Buffer.concat([header, ...items]);
}

export function readInteger(value: Buffer): number {
  return unzigzag(readVarint(value, 0).number);
}

export function writeInteger(number: number): Buffer {
  return writeVarint(number < 0 ? -2 * number - 1 : 2 * number);
}

/** Returns where the value that begins at `at` ends. */
function skip(bytes: Buffer, at: number, type: number): number {
  if (type === types.byte) return at + 1;
  if (type === types.i16 || type === types.i32 || type === types.i64) return skipVarint(bytes, at);
  if (type === types.double) return at + 8;
  if (type === types.binary) {
    const length = readVarint(bytes, at);
    return within(bytes, length.end + length.number);
  }
  if (type === types.list || type === types.set) {
    const header = readListHeader(bytes, at);
    let end = header.end;
    for (let left = header.length; left > 0; left -= 1) end = skipItem(bytes, end, header.type);
    return end;
  }
  if (type === structType) return readStruct(bytes, at).end;
  throw new Error(`expected a type of Thrift's compact protocol that Parquet uses, got ${type}`);
}

/** In a list, a boolean takes a byte. */
function skipItem(bytes: Buffer, at: number, type: number): number {
  return type === types.true || type === types.false ? at + 1 : skip(bytes, at, type);
}

function readListHeader(bytes: Buffer, at: number): { type: number; length: number; end: number } {
  const header = byteAt(bytes, at);
  const type = header & 0x0f;
  if (header >> 4 !== longList) return { type, length: header >> 4, end: at + 1 };
  const { number, end } = readVarint(bytes, at + 1);
  return { type, length: number, end };
}

/** Uses arithmetic because bitwise operations end at 32 bits. Exact up to 2^53. */
function readVarint(bytes: Buffer, start: number): { number: number; end: number } {
  let number = 0;
  let weight = 1;
  for (let at = start; ; at += 1) {
    const byte = byteAt(bytes, at);
    number += (byte & 0x7f) * weight;
    if (byte < 0x80) {
      if (number > Number.MAX_SAFE_INTEGER)
        throw new Error('expected a number up to 2^53 in the footer of a Parquet file, got a larger one');
      return { number, end: at + 1 };
    }
    weight *= 0x80;
  }
}

/** A number that nobody reads may be too large for JavaScript. */
function skipVarint(bytes: Buffer, start: number): number {
  let at = start;
  while (byteAt(bytes, at) >= 0x80) at += 1;
  return at + 1;
}

function writeVarint(number: number): Buffer {
  const bytes: number[] = [];
  let left = number;
  while (left >= 0x80) {
    bytes.push((left % 0x80) | 0x80);
    left = Math.floor(left / 0x80);
  }
  return Buffer.of(...bytes, left);
}

function unzigzag(number: number): number {
  return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
}

function byteAt(bytes: Buffer, at: number): number {
  within(bytes, at + 1);
  return bytes[at]!;
}

function within(bytes: Buffer, end: number): number {
  if (end <= bytes.length) return end;
  throw new Error(`expected the footer of a Parquet file to go on after ${bytes.length} bytes, got its end`);
}
