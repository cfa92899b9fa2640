import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays } from './day.ts';
import { createLocalTime, localMinute } from './local-time.ts';
import { minuteMs } from './minute.ts';
import { lastDays, lastMinutes, previousPeriod, previousYear } from './period.ts';

const today = '2026-03-04';

test('the last days end with today', () => {
  assert.deepEqual(lastDays(30, today), { from: '2026-02-03', to: today });
  assert.deepEqual(lastDays(1, today), { from: today, to: today });
});

const minutesBefore = (timezone: string, now: string) => {
  const localTime = createLocalTime(timezone);
  return (minutes: number) => localTime(Date.parse(now) - minutes * minuteMs);
};

test('the last minutes continue across midnight', () => {
  assert.deepEqual(lastMinutes(30, minutesBefore('UTC', '2026-03-04T00:10:59Z')), {
    from: '2026-03-03',
    fromTime: '23:41',
    to: today,
    toTime: '00:10',
  });
  assert.deepEqual(lastMinutes(1, minutesBefore('UTC', '2026-03-04T12:00:00Z')), {
    from: today,
    fromTime: '12:00',
    to: today,
    toTime: '12:00',
  });
});

test('the last minutes leave out those that the clock skipped', () => {
  const minutesAgo = minutesBefore('Europe/Berlin', '2026-03-29T01:10:00Z');
  const end = { to: '2026-03-29', toTime: '03:10' };
  assert.deepEqual(lastMinutes(30, minutesAgo), { from: '2026-03-29', fromTime: '01:41', ...end });
  assert.deepEqual(lastMinutes(1440, minutesAgo), { from: '2026-03-28', fromTime: '02:11', ...end });
});

test('the last minutes have all of an hour that is being repeated', () => {
  const minutesAgo = minutesBefore('Europe/Berlin', '2026-10-25T01:10:00Z');
  const end = { to: '2026-10-25', toTime: '02:59' };
  assert.deepEqual(lastMinutes(30, minutesAgo), { from: '2026-10-25', fromTime: '02:00', ...end });
  assert.deepEqual(lastMinutes(1440, minutesAgo), { from: '2026-10-24', fromTime: '03:11', ...end });
});

const clockChanges = [
  ['Europe/Berlin', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', '2026-10-25T01:00:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T15:00:00Z'],
  // The repeated hour is the last one of a day.
  ['America/Nuuk', '2026-10-25T01:00:00Z'],
] as const;

for (const [timezone, change] of clockChanges)
  test(`has all of the last minutes, and others only from a repeated hour, around ${change} in ${timezone}`, () => {
    const localTime = createLocalTime(timezone);
    const startMs = Date.parse(change) - 2000 * minuteMs;
    const times = Array.from({ length: 4000 }, (_, at) => localTime(startMs + at * minuteMs));
    const minutes = times.map(localMinute);
    for (const length of [1, 30, 90, 1440])
      for (let now = 1900; now < 3600; now += now < 2200 ? 7 : 97) {
        const { from, fromTime, to, toTime } = lastMinutes(length, (ago) => times[now - ago]!);
        const isWithin = (minute: string) => minute >= `${from}T${fromTime}` && minute <= `${to}T${toTime}`;
        const label = `${length} minutes up to ${minutes[now]}`;
        const start = now - length + 1;
        assert.ok(minutes.slice(start, now + 1).every(isWithin), label);
        const earlier = minutes.slice(0, start).filter(isWithin);
        assert.ok(
          earlier.every((minute) => minutes.indexOf(minute) < minutes.lastIndexOf(minute)),
          label,
        );
      }
  });

test('the previous period has the same length and ends where this one begins', () => {
  const day = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays('1990-01-01', days));
  fc.assert(
    fc.property(day, fc.nat(400), (from, length) => {
      const before = previousPeriod({ from, to: addDays(from, length) });
      assert.deepEqual(before, { from: addDays(from, -length - 1), to: addDays(from, -1) });
    }),
  );
  assert.deepEqual(previousPeriod({ from: today, to: today, fromTime: '00:10', toTime: '00:39' }), {
    from: '2026-03-03',
    fromTime: '23:40',
    to: today,
    toTime: '00:09',
  });
});

test('a year before February 29 is the last day of February', () => {
  assert.deepEqual(previousYear({ from: '2024-02-29', to: '2024-03-01' }), {
    from: '2023-02-28',
    to: '2023-03-01',
  });
});
