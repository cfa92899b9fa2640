import { malformed, type Refusal } from '../refusal.ts';

/** What a client has sent as `Idempotency-Key`, in good order. Only a hash of it is ever kept. */
export type RepeatKey = { text: string };

const maxCharacters = 255;
const printable = /^[ -~]*$/;

/** Reads the header's value, if there is one; a list when it came more than once. The Message never quotes it. */
export function readRepeatKey(
  value: string | readonly string[] | undefined,
): RepeatKey | Refusal | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return refuse(`one header, got ${value.length}`);
  if (value === '')
    return refuse(`1 to ${maxCharacters} characters, got none: leave the header out or set it`);
  if (value.length > maxCharacters) return refuse(`at most ${maxCharacters} characters, got ${value.length}`);
  if (!printable.test(value)) return refuse('printable ASCII characters, got others');
  return { text: value };
}

const refuse = (expected: string): Refusal => malformed(`Idempotency-Key: expected ${expected}`);
