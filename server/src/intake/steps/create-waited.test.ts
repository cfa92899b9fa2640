import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageView } from '../../../test/support/records.ts';
import { createWaited } from './create-waited.ts';
import type { Valid } from './validate.ts';

const nowMs = Date.parse('2026-03-10T09:00:00Z');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const recordOf = (OccurredAt: string | null | undefined) =>
  ({ kind: 'page_view', body: { ...pageView(), OccurredAt } }) as Valid;
const ago = (ms: number) => recordOf(new Date(nowMs - ms).toISOString());

function messageOf(lateHours: number, ms: number): string | undefined {
  const waited = createWaited(lateHours)(ago(ms), nowMs);
  return typeof waited === 'number' ? undefined : waited.message;
}

test('a record without a time happened when it came', () => {
  const waited = createWaited(25);
  assert.deepEqual([waited(recordOf(undefined), nowMs), waited(recordOf(null), nowMs)], [0, 0]);
});

test('says how long a record waited, up to the limit', () => {
  const waited = createWaited(25);
  for (const ms of [0, 1, 1500, 25 * hourMs]) assert.equal(waited(ago(ms), nowMs), ms);
  assert.equal(waited(recordOf('2026-03-10T08:00:00.5-00:30'), nowMs), 30 * minuteMs - 500);
});

test('takes a time that is up to five minutes ahead as now', () => {
  const waited = createWaited(25);
  for (const ms of [1, 5 * minuteMs]) assert.equal(waited(ago(-ms), nowMs), 0);
  assert.equal(
    messageOf(25, -5 * minuteMs - 1),
    "OccurredAt: expected a time that is not in the future, got one that is 5 minutes 1 second ahead of the server's " +
      "clock; set the sender's clock or the server's right",
  );
});

test('refuses an older record, and says how old it is and what would allow it', () => {
  assert.equal(
    messageOf(25, 25 * hourMs + 1),
    'OccurredAt: expected a time of at most 25 hours ago, got one from 25 hours 1 second ago; ' +
      "the server's setting TRACKSIDE_LATE_HOURS can allow up to 72 hours",
  );
  assert.match(
    messageOf(1, 50 * hourMs + 61_000)!,
    /at most 1 hour ago, got one from 50 hours 1 minute 1 second ago/,
  );
  assert.equal(messageOf(72, 72 * hourMs), undefined);
});

test('with a limit of 0 hours, a record has the time by which clocks differ', () => {
  assert.equal(messageOf(0, 5 * minuteMs), undefined);
  assert.match(messageOf(0, 5 * minuteMs + 1)!, /at most 5 minutes ago, got one from 5 minutes 1 second ago/);
});
