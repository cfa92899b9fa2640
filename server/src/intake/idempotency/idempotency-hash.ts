import type { CachedWebsite } from '../../control/websites/website-cache.ts';
import { malformed, type Refusal } from '../refusal.ts';
import { createLongKeyedHash } from '../steps/keyed-hash.ts';

/** A valid `Idempotency-Key` from a client. Only a hash of it is ever kept. */
export type IdempotencyKey = { text: string };

const maxCharacters = 255;
const printable = /^[ -~]*$/;

/**
 * Reads the header's value, which is a list if the header came more than once. The message never quotes it.
 */
export function readIdempotencyKey(value: string | readonly string[]): IdempotencyKey | Refusal {
  if (typeof value !== 'string') return refuse(`one header, got ${value.length}`);
  if (value === '')
    return refuse(`1 to ${maxCharacters} characters, got none: leave the header out or set it`);
  if (value.length > maxCharacters) return refuse(`at most ${maxCharacters} characters, got ${value.length}`);
  if (!printable.test(value)) return refuse('printable ASCII characters, got others');
  return { text: value };
}

const refuse = (expected: string): Refusal => malformed(`Idempotency-Key: expected ${expected}`);

/**
 * Creates the function that hashes a key. The key cannot be recovered from the hash, and equal keys of two
 * websites have different hashes.
 */
export function createIdempotencyHash(): (website: CachedWebsite, key: IdempotencyKey) => Buffer {
  const keyedHash = createLongKeyedHash();
  return (website, key) => keyedHash(website.clientIdKey, `repeat\0${website.id}\0${key.text}`);
}
