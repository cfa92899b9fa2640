import assert from 'node:assert/strict';
import { test } from 'node:test';
import { event, pageView } from '../../../test/support/records.ts';
import { createDeviceParts, mostOfPart } from './device-parts.ts';
import type { EventBody, PageViewBody, Valid } from './validate.ts';

const dayMs = 86_400_000;
const nowMs = 20_000 * dayMs;
const view: Valid = { kind: 'page_view', body: pageView() as PageViewBody };
const eventOf = (value: string): Valid => ({
  kind: 'event',
  body: event('note', [{ Name: 'text', Value: value }]) as EventBody,
});

/** Counts a device's records until the next one belongs to another part. */
function countPart(valid: Valid): number {
  const partOf = createDeviceParts();
  let count = 0;
  while (partOf('18446744073709551615', valid, nowMs) === 0) count += 1;
  return count;
}

test('a part has a fixed number of records, and fewer if they are long', () => {
  assert.equal(countPart(view), mostOfPart);
  assert.equal(countPart(eventOf('short')), mostOfPart);
  assert.equal(countPart(eventOf('x'.repeat(20_000))), Math.ceil(mostOfPart / 20));
});

test('every device begins with its first part, and so does every day', () => {
  const partOf = createDeviceParts();
  for (let count = 0; count < 3 * mostOfPart; count += 1)
    assert.equal(partOf('7', view, nowMs), Math.floor(count / mostOfPart));
  assert.equal(partOf('8', view, nowMs), 0);
  assert.equal(partOf('0', view, nowMs), 0);
  assert.equal(partOf('7', view, nowMs + dayMs), 0);
  assert.equal(partOf('7', view, nowMs), 0, 'also if the clock is set back');
});
