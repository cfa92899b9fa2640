import {
  maxBatchRecords,
  maxBatchValues,
  maxBodyBytes,
  maxRecordValues,
} from '@trackside/contract/tracking/body-sizes.ts';
import { expected, type RuleFault } from '@trackside/contract/tracking/field-rules.ts';
import { type IdempotencyKey, readKeyMember } from '../idempotency/idempotency-hash.ts';
import { malformedAs, malformedField, type Refusal } from '../refusal.ts';
import { type Parsed, parse, type RecordKind } from '../steps/validate.ts';
import { readSequenceMember, type Sequence } from '../tally/sequence.ts';
import { beginsArray, endOfValue, findElements, findMembers, type Span, skipSpace } from './json-spans.ts';

/** One record of a batch. */
export type BatchRecord = {
  kind: RecordKind;
  key: IdempotencyKey | undefined;
  /** The number that its sender gave it. */
  sequence: Sequence | undefined;
  parsed: Parsed;
  /** Its bytes without key and number, as they would come in a request of their own: so repeats are recognized. */
  body: Buffer;
  /** Its bytes as they came. */
  sent: Buffer;
};

/** A record of a batch that was refused before its fields were looked at. */
export type RefusedRecord = {
  kind: RecordKind;
  sequence: Sequence | undefined;
  refusal: Refusal;
  sent: Buffer;
};

type ReadRecord = BatchRecord | RefusedRecord;

const recordsName = 'Records';
const keyName = 'IdempotencyKey';
const sequenceName = 'Sequence';
/** The members of a record that a request of its own would have as headers. */
const headerNames = [keyName, sequenceName];
const byteOrderMark = Buffer.from('\uFEFF');

/**
 * Reads the body of a batch, or returns why it is refused as a whole. Each record is parsed on its own, because
 * parsing a large batch at once would hold up everything else.
 */
export function* readBatch(bytes: Buffer): Generator<void, readonly ReadRecord[] | Refusal> {
  const start = startOf(bytes);
  let records: readonly ReadRecord[] | Refusal = refuseRecords(expected(listOfRecords, undefined));
  let misspelled: string | undefined;
  let end: number | undefined;
  const members = findMembers(bytes, start);
  for (let next = members.next(); ; next = members.next(end)) {
    if (next.done === true) {
      if (next.value === undefined || skipSpace(bytes, next.value) !== bytes.length)
        return refuseWhole(bytes);
      break;
    }
    const { name, valueStart } = next.value;
    const spelled = parseSpan(bytes, name)?.json;
    if (typeof spelled !== 'string') return refuseWhole(bytes);
    if (spelled === recordsName && beginsArray(bytes, valueStart)) {
      const list = yield* readRecords(bytes, valueStart);
      if ('refused' in list) return list;
      end = list.end;
      // The last of several wins, as in JSON.parse.
      records = list.records.length > 0 ? list.records : refuseRecords(expected(listOfRecords, []));
      continue;
    }
    end = endOfValue(bytes, valueStart);
    if (end === undefined) return refuseWhole(bytes);
    if (end - valueStart > maxBodyBytes) return tooMuchBeside;
    const value = parseSpan(bytes, { start: valueStart, end });
    if (value === undefined) return refuseWhole(bytes);
    if (spelled === recordsName) records = refuseRecords(expected(listOfRecords, value.json));
    else if (spelled.toLowerCase() === recordsName.toLowerCase()) misspelled = spelled;
    yield;
  }
  if (misspelled === undefined) return records;
  return refuseRecords({ expected: `the member to be spelled ${recordsName}`, got: misspelled });
}

const startOf = (bytes: Buffer): number =>
  skipSpace(bytes, hasByteOrderMark(bytes) ? byteOrderMark.length : 0);

const hasByteOrderMark = (bytes: Buffer): boolean =>
  bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);

const listOfRecords = `an array of 1 to ${maxBatchRecords} records`;

const tooManyValues = malformedAs(
  recordsName,
  `at most ${maxBatchValues} members and elements in all records together`,
  'more',
);
const tooMuchBeside = malformedAs('Body', `at most ${maxBodyBytes} bytes beside ${recordsName}`, 'more');

const refuseRecords = (fault: RuleFault): Refusal => malformedField({ path: recordsName, fault, others: 0 });

function* readRecords(
  bytes: Buffer,
  start: number,
): Generator<void, { records: ReadRecord[]; end: number } | Refusal> {
  const records: ReadRecord[] = [];
  let values = 0;
  const elements = findElements(bytes, start);
  for (let next = elements.next(); ; next = elements.next()) {
    if (next.done === true)
      return next.value === undefined ? refuseWhole(bytes) : { records, end: next.value };
    if (records.length === maxBatchRecords)
      return refuseRecords({ expected: listOfRecords, got: `more than ${maxBatchRecords}` });
    values += next.value.values;
    if (values > maxBatchValues) return tooManyValues;
    const sent = bytes.subarray(next.value.start, next.value.end);
    const refusal = refuseUnparsed(sent, next.value.values);
    if (refusal !== undefined) {
      records.push(yield* readUnparsed(sent, refusal));
      continue;
    }
    const parsed = parse(sent);
    if ('refused' in parsed) return refuseWhole(bytes);
    records.push(readRecord(sent, parsed));
    yield;
  }
}

function readRecord(sent: Buffer, parsed: Parsed): ReadRecord {
  const { json } = parsed;
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return { kind: 'page_view', key: undefined, sequence: undefined, parsed, body: sent, sent };
  const names = Object.keys(json);
  const kind = kindOf(names);
  let sequence: Sequence | undefined;
  const refuse = (refusal: Refusal): RefusedRecord => ({ kind, sequence, refusal, sent });
  const memberOf = (name: string): unknown =>
    Object.hasOwn(json, name) ? json[name as keyof typeof json] : undefined;
  // This comes first, because a record that is refused for anything else has arrived under its number.
  const read = readSequenceMember(memberOf(sequenceName));
  if (read !== undefined && !('refused' in read)) sequence = read;
  for (const name of headerNames) {
    const misspelled = names.find((came) => came !== name && isSpelled(came, name));
    if (misspelled === undefined) continue;
    const fault = { expected: `the member to be spelled ${name}`, got: misspelled };
    return refuse(malformedField({ path: name, fault, others: 0 }));
  }
  if (read !== undefined && 'refused' in read) return refuse(read);
  const key = readKeyMember(memberOf(keyName));
  if (key !== undefined && 'refused' in key) return refuse(key);
  const own = headerNames.filter((name) => Object.hasOwn(json, name));
  if (sent.length > maxBodyBytes + own.length * maxKeyBytes) return refuse(tooLarge);
  return { kind, key, sequence, parsed, body: own.length > 0 ? withoutHeaders(sent) : sent, sent };
}

/** The most that such a member takes, if each of its characters is escaped. */
const maxKeyBytes = 2048;
const maxRecordBytes = maxBodyBytes + headerNames.length * maxKeyBytes;
const tooLarge = malformedAs('Body', `at most ${maxBodyBytes} bytes`, 'more');
const tooFull = malformedAs('Body', `at most ${maxRecordValues} members and elements`, 'more');

/** Refuses a record whose parsing could hold up everything else. */
function refuseUnparsed(sent: Buffer, values: number): Refusal | undefined {
  if (sent.length > maxRecordBytes) return tooLarge;
  return values > maxRecordValues ? tooFull : undefined;
}

/** Finds out no more of a record than how it is counted. */
function* readUnparsed(sent: Buffer, refusal: Refusal): Generator<void, RefusedRecord> {
  let kind: RecordKind = 'page_view';
  let sequence: Sequence | undefined;
  for (const { name, valueStart } of findMembers(sent, 0)) {
    yield;
    const spelled = parseShort(sent, name);
    if (typeof spelled !== 'string') continue;
    if (kindOf([spelled]) === 'event') kind = 'event';
    if (spelled !== sequenceName) continue;
    const end = endOfValue(sent, valueStart) ?? valueStart;
    const read = readSequenceMember(parseShort(sent, { start: valueStart, end }));
    if (read !== undefined && !('refused' in read)) sequence = read;
  }
  return { kind, sequence, refusal, sent };
}

const parseShort = (bytes: Buffer, span: Span): unknown =>
  span.end - span.start > maxKeyBytes ? undefined : parseSpan(bytes, span)?.json;

/**
 * A record with a name is an event. So is one whose name is missing or misspelled beside its parameters:
 * taken for a page view, the rest of it would be lost silently.
 */
function kindOf(names: readonly string[]): RecordKind {
  const isEvent = names.some((name) => isSpelled(name, 'Name') || isSpelled(name, 'Parameters'));
  return isEvent ? 'event' : 'page_view';
}

/** Whether the names are the same but for their case. Their lengths say so first, which is sooner known. */
const isSpelled = (came: string, name: string): boolean =>
  came.length === name.length && came.toLowerCase() === name.toLowerCase();

/** Cuts out the key and the number, and the commas that separate them from other members. */
function withoutHeaders(record: Buffer): Buffer {
  const parts: Buffer[] = [];
  let isFirst = true;
  let end: number | undefined;
  const members = findMembers(record, 0);
  for (let next = members.next(); next.done !== true; next = members.next(end)) {
    const { name, valueStart } = next.value;
    if (end === undefined) parts.push(record.subarray(0, name.start));
    const valueEnd = endOfValue(record, valueStart)!;
    if (!isHeaderName(record, name)) {
      // What is between two members belongs to the second one.
      parts.push(record.subarray(isFirst ? name.start : end, valueEnd));
      isFirst = false;
    }
    end = valueEnd;
  }
  parts.push(record.subarray(end));
  return Buffer.concat(parts);
}

function isHeaderName(record: Buffer, { start, end }: Span): boolean {
  const isEscaped = record.subarray(start, end).includes('\\');
  const name = record.toString('utf8', start, end);
  return headerNames.includes(isEscaped ? JSON.parse(name) : name.slice(1, -1));
}

function parseSpan(bytes: Buffer, { start, end }: Span): Parsed | undefined {
  const parsed = parse(bytes.subarray(start, end));
  return 'refused' in parsed ? undefined : parsed;
}

/** Says what is wrong with a body that can't be taken apart, in the words of a single record's body. */
function refuseWhole(bytes: Buffer): Refusal {
  if (bytes.length > maxBodyBytes) {
    const isArray = beginsArray(bytes, startOf(bytes));
    return malformedAs('Body', 'a JSON object', isArray ? 'an array' : 'text that is not valid JSON');
  }
  const parsed = parse(bytes);
  if ('refused' in parsed) return parsed;
  return malformedField({ path: 'Body', fault: expected('a JSON object', parsed.json), others: 0 });
}
