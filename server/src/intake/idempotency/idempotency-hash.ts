import { hash } from 'node:crypto';
import { describeValue } from '@trackside/contract/tracking/describe-value.ts';
import type { CachedWebsite } from '../../control/websites/website-cache.ts';
import { malformedAs, type Refusal } from '../refusal.ts';

/** A well-formed `Idempotency-Key`, as the client sent it. Only a hash of it is ever kept. */
export type IdempotencyKey = { text: string };

const maxCharacters = 255;
const printable = /^[ -~]*$/;

/** Reads the header's value, which is a list when it came more than once. The message never quotes it. */
export function readIdempotencyKey(value: string | readonly string[]): IdempotencyKey | Refusal {
  if (typeof value !== 'string') return malformedAs(headerName, 'one header', '', `${value.length}`);
  return readText(headerName, value, 'leave the header out or set it');
}

/** Does the same for the key of a record in a batch, which may be null or absent. */
export function readKeyMember(value: unknown): IdempotencyKey | undefined | Refusal {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') return malformedAs(memberName, 'a string or null', '', describeValue(value));
  return readText(memberName, value, 'leave it out or set it');
}

const headerName = 'Idempotency-Key';
const memberName = 'IdempotencyKey';

function readText(name: string, value: string, ifEmpty: string): IdempotencyKey | Refusal {
  if (value === '') return malformedAs(name, `1 to ${maxCharacters} characters`, 'none', `: ${ifEmpty}`);
  if (value.length > maxCharacters)
    return malformedAs(name, `at most ${maxCharacters} characters`, '', `${value.length}`);
  if (!printable.test(value)) return malformedAs(name, 'printable ASCII characters', 'others');
  return { text: value };
}

const hashBytes = 16;

/**
 * What is kept of a key. Nobody can tell the key from it, and the same key of two websites has two hashes
 * with nothing in common. It is longer than a visitor's, because two among very many must not be equal.
 */
export function idempotencyHash(website: CachedWebsite, key: IdempotencyKey): Buffer {
  const text = `${website.clientIdKey}repeat\0${website.id}\0${key.text}`;
  return hash('sha256', text, 'buffer').subarray(0, hashBytes);
}
