import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTimeWords } from '../series/create-time-words.ts';
import { pickTimeLabels } from './pick-time-labels.ts';

const words = createTimeWords({ locale: 'en-GB' });
const daysFrom = (first: string, count: number, step = 1) =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(first) + index * step * 86_400_000).toISOString().slice(0, 10),
  );
const hoursFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(`${first}Z`) + index * 3_600_000).toISOString().slice(0, 16),
  );
const texts = (labels: { text: string }[]) => labels.map(({ text }) => text);

test('labels thirty days every few days, and always labels today', () => {
  const labels = pickTimeLabels('day', daysFrom('2026-10-16', 30), 9, words);
  assert.deepEqual(texts(labels), [
    '17 Oct',
    '21 Oct',
    '25 Oct',
    '29 Oct',
    '2 Nov',
    '6 Nov',
    '10 Nov',
    '14 Nov',
  ]);
  assert.equal(labels.at(-1)!.index, 29);
});

test('picks fewer labels when there is less room', () => {
  const labels = pickTimeLabels('day', daysFrom('2026-10-16', 30), 4, words);
  assert.deepEqual(texts(labels), ['17 Oct', '31 Oct', '14 Nov']);
});

test('labels ninety days by date, and a year of days by month', () => {
  assert.equal(
    texts(pickTimeLabels('day', daysFrom('2026-08-17', 90), 7, words)).join(', '),
    '22 Aug, 5 Sept, 19 Sept, 3 Oct, 17 Oct, 31 Oct, 14 Nov',
  );
  assert.equal(
    texts(pickTimeLabels('day', daysFrom('2025-11-15', 365), 6, words)).join(', '),
    '2026, Mar, May, Jul, Sept, Nov',
  );
});

test('labels the hours of a day at round times', () => {
  assert.equal(
    texts(pickTimeLabels('hour', hoursFrom('2026-11-03T00:00', 24), 9, words)).join(', '),
    '00:00, 03:00, 06:00, 09:00, 12:00, 15:00, 18:00, 21:00',
  );
});

test('names each day at midnight when several days are shown by the hour', () => {
  assert.equal(
    texts(pickTimeLabels('hour', hoursFrom('2026-11-02T00:00', 48), 4, words)).join(', '),
    '2 Nov, 12:00, 3 Nov, 12:00',
  );
  assert.deepEqual(texts(pickTimeLabels('hour', hoursFrom('2026-11-02T00:00', 168), 8, words)).length, 7);
});

test('labels a few minutes too', () => {
  const minutes = ['2026-11-03T14:07', '2026-11-03T14:08', '2026-11-03T14:09'];
  assert.deepEqual(texts(pickTimeLabels('minute', minutes, 10, words)), ['14:07', '14:08', '14:09']);
});

test('labels weeks by the date of their Monday, and months by name', () => {
  assert.equal(
    texts(pickTimeLabels('week', daysFrom('2026-10-12', 5, 7), 9, words)).join(', '),
    '12 Oct, 19 Oct, 26 Oct, 2 Nov, 9 Nov',
  );
  const months = ['2025-11-01', '2025-12-01', '2026-01-01', '2026-02-01'];
  assert.deepEqual(texts(pickTimeLabels('month', months, 9, words)), ['Nov', 'Dec', '2026', 'Feb']);
});

test('labels a single interval', () => {
  assert.deepEqual(pickTimeLabels('day', ['2026-11-03'], 9, words), [{ index: 0, text: '3 Nov' }]);
  assert.deepEqual(texts(pickTimeLabels('hour', ['2026-11-03T14:00'], 9, words)), ['14:00']);
});
