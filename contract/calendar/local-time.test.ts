import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createLocalTime, createLocalTimeOrUtc, createUtcFormat, localMinute } from './local-time.ts';

const at = (timezone: string, instant: string) => createLocalTime(timezone)(Date.parse(instant)).at;

/** The two seconds around a clock change, and what the clock shows. */
const changes: [timezone: string, before: string, shown: string, behind: string, shown: string][] = [
  [
    'Europe/Berlin',
    '2026-03-29T00:59:59Z',
    '2026-03-29 01:59:59',
    '2026-03-29T01:00:00Z',
    '2026-03-29 03:00:00',
  ],
  [
    'Europe/Berlin',
    '2026-10-25T00:59:59Z',
    '2026-10-25 02:59:59',
    '2026-10-25T01:00:00Z',
    '2026-10-25 02:00:00',
  ],
  [
    'America/New_York',
    '2026-03-08T06:59:59Z',
    '2026-03-08 01:59:59',
    '2026-03-08T07:00:00Z',
    '2026-03-08 03:00:00',
  ],
  [
    'America/New_York',
    '2026-11-01T05:59:59Z',
    '2026-11-01 01:59:59',
    '2026-11-01T06:00:00Z',
    '2026-11-01 01:00:00',
  ],
  [
    'Australia/Lord_Howe',
    '2026-04-04T14:59:59Z',
    '2026-04-05 01:59:59',
    '2026-04-04T15:00:00Z',
    '2026-04-05 01:30:00',
  ],
  [
    'Australia/Lord_Howe',
    '2026-10-03T15:29:59Z',
    '2026-10-04 01:59:59',
    '2026-10-03T15:30:00Z',
    '2026-10-04 02:30:00',
  ],
  // Samoa skipped the 30th when it crossed the date line.
  [
    'Pacific/Apia',
    '2011-12-30T09:59:59Z',
    '2011-12-29 23:59:59',
    '2011-12-30T10:00:00Z',
    '2011-12-31 00:00:00',
  ],
];

for (const [timezone, before, shownBefore, behind, shownBehind] of changes) {
  test(`${timezone} shows ${shownBehind} a second after ${shownBefore}`, () => {
    const localTime = createLocalTime(timezone);
    assert.equal(localTime(Date.parse(before)).at, shownBefore);
    assert.equal(localTime(Date.parse(behind)).at, shownBehind);
    // And back again: after the time goes back, the remembered offset must not be used.
    assert.equal(localTime(Date.parse(before)).at, shownBefore);
  });
}

test('knows offsets that are not whole hours', () => {
  assert.equal(at('Asia/Kathmandu', '2026-03-10T18:15:00Z'), '2026-03-11 00:00:00');
  assert.equal(at('Asia/Kathmandu', '2026-03-10T18:14:59.999Z'), '2026-03-10 23:59:59');
  assert.equal(at('UTC', '2026-03-10T23:59:59.999Z'), '2026-03-10 23:59:59');
  assert.equal(at('Pacific/Kiritimati', '2026-12-31T10:00:00Z'), '2027-01-01 00:00:00');
  assert.equal(at('Pacific/Pago_Pago', '2027-01-01T10:59:59Z'), '2026-12-31 23:59:59');
});

test('the day is that of the wall clock', () => {
  const { day, at: time } = createLocalTime('Pacific/Apia')(Date.parse('2011-12-30T10:00:00Z'));
  assert.deepEqual([day, time], ['2011-12-31', '2011-12-31 00:00:00']);
});

const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia'];

function expected(ms: number, timezone: string): string {
  const time = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone).toPlainDateTime();
  return time
    .round({ smallestUnit: 'second', roundingMode: 'floor' })
    .toString()
    .replace('T', ' ')
    .slice(0, 19);
}

test('agrees with Temporal at any instant, in any order, in any timezone', () => {
  const instant = fc.integer({ min: Date.UTC(1975, 0), max: Date.UTC(2100, 0) });
  // Neighboring instants use what was remembered from the minute before.
  const steps = fc.array(fc.constantFrom(-60_000, -59_999, -1000, -1, 0, 1, 999, 1000, 59_999, 60_000), {
    maxLength: 10,
  });
  const timezone = fc.constantFrom(...zones, ...Intl.supportedValuesOf('timeZone'));
  fc.assert(
    fc.property(timezone, instant, steps, (zone, start, moves) => {
      const localTime = createLocalTime(zone);
      let ms = start;
      for (const move of [0, ...moves]) {
        ms += move;
        const { day, at } = localTime(ms);
        assert.equal(at, expected(ms, zone), `${zone} at ${ms}`);
        assert.equal(day, at.slice(0, 10));
      }
    }),
    { numRuns: 500 },
  );
});

test('agrees with Temporal around every clock change of a decade', () => {
  for (const zone of zones) {
    const localTime = createLocalTime(zone);
    let next = Temporal.Instant.from('2010-01-01T00:00:00Z')
      .toZonedDateTimeISO(zone)
      .getTimeZoneTransition('next');
    while (next !== null && next.year < 2030) {
      for (const offsetMs of [-60_000, -1001, -1000, -1, 0, 1, 999, 1000, 59_999, 60_000]) {
        const ms: number = next.epochMilliseconds + offsetMs;
        assert.equal(localTime(ms).at, expected(ms, zone), `${zone} at ${ms}`);
      }
      next = next.getTimeZoneTransition('next');
    }
  }
});

test('works before 1970, where times are negative', () => {
  for (const ms of [-1, -999, -1000, -1001, -59_999, -60_000, -60_001, -86_400_000, 0]) {
    for (const zone of ['UTC', ...zones]) {
      assert.equal(createLocalTime(zone)(ms).at, expected(ms, zone), `${zone} at ${ms}`);
    }
  }
});

test('formats UTC with milliseconds, and the same text for the same time', () => {
  const format = createUtcFormat();
  const ms = Date.parse('2026-03-10T09:08:07.065Z');
  assert.equal(format(ms), '2026-03-10 09:08:07.065');
  assert.equal(format(ms), '2026-03-10 09:08:07.065');
  assert.equal(format(ms + 1), '2026-03-10 09:08:07.066');
  assert.equal(format(ms), '2026-03-10 09:08:07.065');
  assert.equal(format(-1), '1969-12-31 23:59:59.999');
});

test('uses UTC for a place that the browser does not know', () => {
  const moment = Date.parse('2026-11-14T23:30:00Z');
  assert.equal(createLocalTimeOrUtc('Europe/Berlin')(moment).day, '2026-11-15');
  assert.equal(createLocalTimeOrUtc('America/New_York')(moment).day, '2026-11-14');
  assert.equal(createLocalTimeOrUtc('Mars/Olympus')(moment).at, '2026-11-14 23:30:00');
});

test('returns the minute of a place’s clock', () => {
  const minuteAt = (timezone: string, instant: string) =>
    localMinute(createLocalTime(timezone)(Date.parse(instant)));
  assert.equal(minuteAt('Europe/Berlin', '2026-11-13T23:05:59.000Z'), '2026-11-14T00:05');
  assert.equal(minuteAt('America/New_York', '2026-11-14T05:00:00.000Z'), '2026-11-14T00:00');
});
