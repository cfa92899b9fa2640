import { hash } from 'node:crypto';

/** How a key is looked up. A plain hash is enough: a key is 256 random bits, so there is nothing to guess. */
export function hashApiKey(apiKey: string): string {
  return hash('sha256', apiKey, 'hex');
}
