import { hash } from 'node:crypto';

/**
 * The key that identifies a record both in the journal and in the store: the website, the visitor and the
 * time of receipt, as 48 bits. It isn't unique. Two equal records of the same millisecond are both real, so
 * keys are always counted.
 */
export function recordKey(record: { websiteId: number; visitorId: string; receivedAt: string }): number {
  const { websiteId, visitorId, receivedAt } = record;
  return Number.parseInt(hash('md5', `${websiteId} ${visitorId} ${receivedAt}`).slice(0, 12), 16);
}

/** The same key, calculated by the store. */
export const recordKeySql = `reinterpretAsUInt64(reverse(substring(MD5(concat(
  toString(website_id), ' ', toString(visitor_id), ' ', toString(received_at))), 1, 6)))`;
