import { hash } from 'node:crypto';

/**
 * The hash that a key is looked up by. A plain hash is enough, because a key has 256 random bits and can't be
 * guessed.
 */
export function hashApiKey(apiKey: string): string {
  return hash('sha256', apiKey, 'hex');
}

/** Names a key to those who must not know it. Of the hash, it has so little that no key can be found with it. */
export const keyIdOf = (keyHash: string): string => keyHash.slice(0, 8);
