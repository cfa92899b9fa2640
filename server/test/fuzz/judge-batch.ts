import { bodyRules } from '@trackside/contract/tracking/body-rules.ts';
import { type Expected, expectBody, expectEarly } from './expect-record.ts';
import type { FuzzCase } from './fuzz-cases.ts';

export type BatchAnswer = { Code?: number; Message?: string; Results?: { Code: number; Message: string }[] };

/** What contract/README.md says. */
const maxRecords = 500;
const wellFormedSequence = /^[\w-]{1,32}\.[1-9]\d{0,15}$/;
/** Beyond these, records are refused by their size, and some of them unread. */
const most = { bytes: 512 * 1024, values: 10_000 };

/** Returns what is wrong with the answer to a batch, or undefined if nothing is. */
export function judgeBatch(sent: FuzzCase, status: number, answer: BatchAnswer): string | undefined {
  const { Code, Message = '', Results } = answer;
  if (Code !== status || Message === '')
    return `Code is ${Code}, with the Message ${JSON.stringify(Message)}`;
  const early = expectEarly(sent);
  if (early !== undefined)
    return status === early.status && Results === undefined
      ? undefined
      : `expected ${early.status} (${early.why})`;
  if (isLarge(sent)) return undefined;
  const records = recordsOf(JSON.parse(sent.json.text.toString()));
  if (records === undefined)
    return status === 400 && Results === undefined ? undefined : 'expected 400 for the whole batch';
  const expected = records.map(expectInBatch);
  if (status !== (expected.every((one) => one.status === 200) ? 200 : 207))
    return `expected another status for ${JSON.stringify(expected)}`;
  if (Results?.length !== records.length) return `expected ${records.length} results`;
  const wrong = expected.findIndex((one, at) => !isAsExpected(one, Results[at]!));
  return wrong < 0 ? undefined : `record ${wrong}: expected ${JSON.stringify(expected[wrong])}`;
}

function isLarge({ json: { text } }: FuzzCase): boolean {
  return text.length > most.bytes || (text.toString('latin1').match(/[[{,]/g)?.length ?? 0) > most.values;
}

/** Returns the records of a batch, or undefined if it has to be refused as a whole. */
export function recordsOf(body: unknown): unknown[] | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  if (Object.keys(body).some((name) => isMisspelled(name, 'Records'))) return undefined;
  const { Records } = body as { Records?: unknown };
  if (!Array.isArray(Records) || Records.length === 0 || Records.length > maxRecords) return undefined;
  return Records;
}

function expectInBatch(record: unknown): Expected {
  if (typeof record !== 'object' || record === null || Array.isArray(record))
    return expectBody(bodyRules.pageView, record);
  const names = Object.keys(record);
  for (const header of ['IdempotencyKey', 'Sequence'])
    if (names.some((name) => isMisspelled(name, header))) return { status: 400, why: `${header} misspelled` };
  const { Sequence } = record as { Sequence?: unknown };
  if (Sequence !== undefined && Sequence !== null && !isSequence(Sequence))
    return { status: 400, why: 'Sequence' };
  const isEvent = names.some((name) => /^(name|parameters)$/i.test(name));
  return expectBody(isEvent ? bodyRules.event : bodyRules.pageView, record);
}

const isMisspelled = (name: string, right: string) =>
  name !== right && name.toLowerCase() === right.toLowerCase();

const isSequence = (value: unknown) =>
  typeof value === 'string' &&
  wellFormedSequence.test(value) &&
  Number.isSafeInteger(Number(value.split('.')[1]));

const isAsExpected = ({ status, message }: Expected, came: { Code: number; Message: string }) =>
  came.Code === status && (message === undefined || came.Message === message);
