import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import { isLongForm, times } from '../../test/support/long-form.ts';
import { planDays } from './plan-days.ts';

const plan = (timezone: string, now: string, days = 365) =>
  planDays({ timezone, days, visitsPerDay: 100, seed: 1, nowMs: Date.parse(now) });

test('plans the days up to today in the website’s timezone', () => {
  const { days } = plan('Pacific/Auckland', '2026-03-10T22:00:00Z', 3);
  assert.deepEqual(
    days.map(({ day }) => day),
    ['2026-03-09', '2026-03-10', '2026-03-11'],
  );
});

/** In the short form, timezones whose clocks change at night, at midnight and never. */
const timezones = ['Europe/Berlin', 'America/Santiago', 'Pacific/Kiritimati'];
const furtherTimezones = ['UTC', 'Pacific/Pago_Pago', 'Asia/Kathmandu', 'Africa/Cairo'];
for (const timezone of isLongForm ? [...timezones, ...furtherTimezones] : timezones) {
  test(`each day in ${timezone} begins where the previous one ends, even when the clocks change`, () => {
    const localTime = createLocalTime(timezone);
    const { days } = plan(timezone, '2026-11-15T12:00:00Z');
    for (const [index, { day, startMs, endMs }] of days.entries()) {
      assert.equal(localTime(startMs).day, day);
      assert.notEqual(localTime(startMs - 1).day, day);
      assert.equal(endMs, days[index + 1]?.startMs ?? endMs);
      assert.ok(endMs - startMs >= 23 * 3_600_000 && endMs - startMs <= 25 * 3_600_000);
    }
  });
}

test('grows over a year, but hardly within three weeks', () => {
  const year = plan('UTC', '2026-11-15T12:00:00Z').days;
  const weeks = plan('UTC', '2026-11-15T12:00:00Z', 21).days;
  assert.ok(year.at(-1)!.progress - year[0]!.progress > 0.99);
  assert.ok(weeks.at(-1)!.progress - weeks[0]!.progress < 0.1);
});

test('goes viral in the middle of a week', () => {
  for (const now of ['2026-11-13', '2026-11-14', '2026-11-15', '2026-11-16', '2026-11-17']) {
    const { days, viralIndex } = plan('UTC', `${now}T12:00:00Z`, times(120, 365));
    assert.ok([2, 3, 4].includes(new Date(days[viralIndex]!.day).getUTCDay()));
    assert.equal(days.filter(({ viralVisits }) => viralVisits > 0).length, 4);
  }
});

test('plans a single day', () => {
  const { days, viralIndex } = plan('UTC', '2026-11-15T12:00:00Z', 1);
  assert.equal(days.length, 1);
  assert.equal(viralIndex, 0);
});
