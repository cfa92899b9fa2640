import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Interval } from './intervals.ts';
import { pairIntervals } from './pair-intervals.ts';
import { type Period, previousPeriod, previousYear } from './period.ts';

const days = (from: string, to: string): Period => ({ from, to });
const minutes = (from: string, to: string): Period => ({
  from: from.slice(0, 10),
  fromTime: from.slice(11),
  to: to.slice(0, 10),
  toTime: to.slice(11),
});
const pairs = (interval: Interval, period: Period, other: Period) =>
  pairIntervals(interval, period, other).map(({ time, before }) => [time, before]);
const pairOf = (interval: Interval, period: Period, other: Period, time: string) =>
  pairIntervals(interval, period, other).find((pair) => pair.time === time)!.before;

test('compares day n with day n, and a day without a counterpart with nothing', () => {
  const march = days('2026-03-01', '2026-03-31');
  const february = days('2026-02-01', '2026-02-28');
  const found = pairs('day', march, february);
  assert.equal(found.length, 31);
  assert.deepEqual(found[0], ['2026-03-01', '2026-02-01']);
  assert.deepEqual(found.slice(27), [
    ['2026-03-28', '2026-02-28'],
    ['2026-03-29', undefined],
    ['2026-03-30', undefined],
    ['2026-03-31', undefined],
  ]);
  assert.equal(pairOf('day', february, march, '2026-02-28'), '2026-03-28');
});

test('compares an hour with the same hour of the day, and a minute with the same minute', () => {
  const week = days('2026-03-09', '2026-03-15');
  assert.equal(pairOf('hour', week, previousPeriod(week), '2026-03-10T14:00'), '2026-03-03T14:00');
  const today = days('2026-03-10', '2026-03-10');
  assert.equal(pairOf('minute', today, previousPeriod(today), '2026-03-10T23:59'), '2026-03-09T23:59');
  const longer = days('2026-03-01', '2026-03-02');
  assert.equal(pairOf('hour', today, longer, '2026-03-10T08:00'), '2026-03-01T08:00');
});

test('compares parts of hours with the same part, or with nothing', () => {
  const asked = minutes('2026-03-10T14:00', '2026-03-10T15:29');
  // The hours right before are 12:30 to 13:59.
  assert.deepEqual(pairs('hour', asked, previousPeriod(asked)), [
    ['2026-03-10T14:00', '2026-03-10T13:00'],
    ['2026-03-10T15:00', undefined],
  ]);
  const dayBefore = minutes('2026-03-09T14:00', '2026-03-09T15:29');
  assert.deepEqual(pairs('hour', asked, dayBefore), [
    ['2026-03-10T14:00', '2026-03-09T14:00'],
    ['2026-03-10T15:00', '2026-03-09T15:00'],
  ]);
  assert.equal(pairOf('minute', asked, previousPeriod(asked), '2026-03-10T14:00'), '2026-03-10T12:30');
  const acrossMidnight = minutes('2026-03-10T14:00', '2026-03-11T15:29');
  assert.deepEqual(pairs('day', acrossMidnight, previousPeriod(acrossMidnight)), [
    ['2026-03-10', undefined],
    ['2026-03-11', undefined],
  ]);
});

test('compares periods of a single interval if they have the same length', () => {
  const asked = minutes('2026-03-10T14:00', '2026-03-10T14:19');
  const before = [['2026-03-10T14:00', '2026-03-10T13:00']];
  assert.deepEqual(pairs('hour', asked, previousPeriod(asked)), before);
  assert.deepEqual(pairs('hour', asked, minutes('2026-03-10T13:00', '2026-03-10T13:59')), [
    ['2026-03-10T14:00', undefined],
  ]);
});

test('compares a date with the same date of the previous year, even in leap years', () => {
  const ofLeapYear = days('2028-02-27', '2028-03-02');
  assert.deepEqual(pairs('day', ofLeapYear, previousYear(ofLeapYear)), [
    ['2028-02-27', '2027-02-27'],
    ['2028-02-28', '2027-02-28'],
    ['2028-02-29', undefined],
    ['2028-03-01', '2027-03-01'],
    ['2028-03-02', '2027-03-02'],
  ]);
  const after = days('2029-02-28', '2029-03-01');
  assert.deepEqual(pairs('day', after, previousYear(after)), [
    ['2029-02-28', '2028-02-28'],
    ['2029-03-01', '2028-03-01'],
  ]);
  const leapDay = days('2028-02-29', '2028-02-29');
  assert.equal(pairOf('hour', leapDay, previousYear(leapDay), '2028-02-29T07:00'), '2027-02-28T07:00');
});

test('compares weeks by their weekdays, with the nearest week', () => {
  // 2 March 2026 is a Monday.
  const twoWeeks = days('2026-03-02', '2026-03-15');
  assert.deepEqual(pairs('week', twoWeeks, previousPeriod(twoWeeks)), [
    ['2026-03-02', '2026-02-16'],
    ['2026-03-09', '2026-02-23'],
  ]);
  // A week that is cut off at another weekday is not the same part of a week.
  const month = days('2026-03-04', '2026-03-24');
  assert.deepEqual(pairs('week', month, days('2026-02-02', '2026-02-22')), [
    ['2026-03-02', undefined],
    ['2026-03-09', '2026-02-09'],
    ['2026-03-16', '2026-02-16'],
    ['2026-03-23', undefined],
  ]);
  const sameWeekdays = days('2026-02-04', '2026-02-24');
  assert.equal(pairOf('week', month, sameWeekdays, '2026-03-02'), '2026-02-02');
  assert.equal(pairOf('week', month, sameWeekdays, '2026-03-23'), '2026-02-23');
  assert.equal(pairOf('week', month, previousYear(month), '2026-03-09'), '2025-03-10');
});

test('compares whole months with whole months, however many days they have', () => {
  const october = days('2026-10-01', '2026-10-31');
  // The 31 days right before begin on 31 August.
  assert.deepEqual(pairs('month', october, previousPeriod(october)), [['2026-10-01', '2026-09-01']]);
  const year = days('2026-01-01', '2026-11-15');
  const ofYear = pairs('month', year, previousYear(year));
  assert.deepEqual(ofYear.at(0), ['2026-01-01', '2025-01-01']);
  assert.deepEqual(ofYear.at(-1), ['2026-11-01', '2025-11-01']);
  // The 319 days right before begin on 16 February.
  assert.deepEqual(pairs('month', year, previousPeriod(year)).slice(0, 2), [
    ['2026-01-01', '2025-03-01'],
    ['2026-02-01', '2025-04-01'],
  ]);
  assert.equal(pairOf('month', year, previousPeriod(year), '2026-11-01'), undefined);
  const half = days('2026-11-01', '2026-11-15');
  assert.deepEqual(pairs('month', half, previousPeriod(half)), [['2026-11-01', '2026-10-01']]);
  assert.deepEqual(pairs('month', half, days('2026-10-01', '2026-10-31')), [['2026-11-01', undefined]]);
});
