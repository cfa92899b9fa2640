import { hash } from 'node:crypto';

/**
 * What a record is recognized by in the journal and in the store alike: website, visitor and time of receipt,
 * as 48 bits. It is not unique: two equal records of the same millisecond are both real, so keys are always
 * counted.
 */
export function recordKey(record: { websiteId: number; visitorId: string; receivedAt: string }): number {
  const { websiteId, visitorId, receivedAt } = record;
  return Number.parseInt(hash('md5', `${websiteId} ${visitorId} ${receivedAt}`).slice(0, 12), 16);
}

/** The same in the store's words. */
export const recordKeySql = `reinterpretAsUInt64(reverse(substring(MD5(concat(
  toString(website_id), ' ', toString(visitor_id), ' ', toString(received_at))), 1, 6)))`;
