import { describeValue } from '@trackside/contract/tracking/describe-value.ts';
import { malformedAs, type Refusal } from '../refusal.ts';

/** The number that a sender gave a record. Each sender counts its own stream, from 1 on. */
export type Sequence = { stream: string; number: number; text: string };

export const sequenceHeader = 'Trackside-Sequence';
const memberName = 'Sequence';
const wellFormed = /^([\w-]{1,32})\.([1-9]\d{0,15})$/;
const expected =
  'a stream of 1 to 32 letters, digits, - or _, a dot, and a number from 1 to 9007199254740991';

/** Reads the header's value, which is a list when it came more than once. The message never quotes it. */
export function readSequence(value: string | readonly string[]): Sequence | Refusal {
  if (typeof value !== 'string') return malformedAs(sequenceHeader, 'one header', 'several headers');
  return readText(value) ?? malformedAs(sequenceHeader, expected, 'another text');
}

/** Does the same for the number of a record in a batch, which may be null or absent. */
export function readSequenceMember(value: unknown): Sequence | undefined | Refusal {
  if (value === undefined || value === null) return undefined;
  const read = typeof value === 'string' ? readText(value) : undefined;
  if (read !== undefined) return read;
  const isText = typeof value === 'string';
  return isText
    ? malformedAs(memberName, expected, 'another text')
    : malformedAs(memberName, 'a string or null', '', describeValue(value));
}

function readText(text: string): Sequence | undefined {
  const found = wellFormed.exec(text);
  if (found === null) return undefined;
  const number = Number(found[2]);
  return Number.isSafeInteger(number) ? { stream: found[1]!, number, text } : undefined;
}

export const releaseHeader = 'Trackside-Release';
const printable = /^[ -~]{1,64}$/;

/** Reads which release of the sender's software a request is from. */
export function readRelease(value: string | readonly string[]): string | Refusal {
  if (typeof value !== 'string') return malformedAs(releaseHeader, 'one header', 'several headers');
  if (printable.test(value)) return value;
  return malformedAs(releaseHeader, '1 to 64 printable ASCII characters', 'something else');
}
