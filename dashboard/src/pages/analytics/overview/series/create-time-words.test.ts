import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Interval } from '@trackside/contract/calendar/intervals.ts';
import type { Period } from '@trackside/contract/calendar/period.ts';
import { createTimeWords } from './create-time-words.ts';

const words = createTimeWords({ locale: 'en-GB' });
const american = createTimeWords({ locale: 'en-US' });
const today = '2026-11-14';

/** Systems use different spaces around a dash. */
const plain = (text: string) => text.replaceAll(/\s+/g, ' ');
const year: Period = { from: '2026-01-01', to: today };
const span = (interval: Interval, first: string, last = first, period = year) =>
  plain(words.span(interval, period, first, last, today));

test('labels are short', () => {
  assert.equal(words.weekday('2026-10-17'), 'Sat 17');
  assert.equal(words.shortDay('2026-10-17'), '17 Oct');
  assert.equal(american.shortDay('2026-10-17'), 'Oct 17');
  assert.equal(american.weekday('2026-10-17T06:00'), 'Sat 17');
  assert.equal(words.shortMonth('2026-10-01'), 'Oct');
});

test('ignores a locale that does not exist', () => {
  assert.equal(createTimeWords({ locale: 'de-DE' }).shortDay('2026-10-17'), '17. Okt.');
});

test('spells out a day, with the year if it is not the current one', () => {
  assert.equal(span('day', '2026-11-03'), 'Tuesday 3 November');
  assert.match(
    span('day', '2025-11-03', '2025-11-03', { from: '2025-01-01', to: today }),
    /3 November 2025$/,
  );
});

test('shows hours and minutes with their day', () => {
  assert.equal(span('hour', '2026-11-03T14:00'), 'Tuesday 3 November, 14:00 – 14:59');
  assert.equal(span('hour', '2026-11-03T14:00', '2026-11-03T16:00'), 'Tuesday 3 November, 14:00 – 16:59');
  assert.equal(span('minute', '2026-11-03T14:05'), 'Tuesday 3 November, 14:05');
  assert.equal(span('hour', '2026-11-03T14:00', '2026-11-04T01:00'), '3 Nov, 14:00 – 4 Nov, 01:59');
});

test('shows an hour within the period', () => {
  const period = { from: '2026-11-03', to: '2026-11-04', fromTime: '14:23', toTime: '14:22' };
  assert.equal(span('hour', '2026-11-03T14:00', undefined, period), 'Tuesday 3 November, 14:23 – 14:59');
  assert.equal(
    span('hour', '2026-11-04T13:00', '2026-11-04T14:00', period),
    'Wednesday 4 November, 13:00 – 14:22',
  );
});

test('shows a week from its first to its last day, within the period', () => {
  assert.match(span('week', '2026-11-02'), /^2 ?– ?8 November$/);
  assert.match(span('week', '2026-11-09'), /^9 ?– ?14 November$/);
  assert.equal(
    span('week', '2026-11-09', '2026-11-09', { from: '2026-11-14', to: today }),
    'Saturday 14 November',
  );
});

test('shows a month by its name, unless it is incomplete', () => {
  assert.equal(span('month', '2026-10-01'), 'October 2026');
  assert.match(span('month', '2026-11-01'), /^1 ?– ?14 November$/);
  assert.match(span('month', '2026-09-01', '2026-10-01'), /^1 September ?– ?31 October$/);
});
