import type { KeyedHash } from './keyed-hash.ts';

/**
 * The number of a visitor with a ClientId: keyed by the website's own secret, so that it is the same on all
 * days.
 */
export function visitorOfClient(
  keyedHash: KeyedHash,
  website: { id: number; clientIdKey: Buffer },
  clientId: string,
): string {
  return keyedHash(website.clientIdKey, `client\0${website.id}\0${clientId}`);
}
