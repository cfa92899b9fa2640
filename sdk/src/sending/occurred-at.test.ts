import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '../time/test-clock.ts';
import { addOccurredAt, findOccurredAt, noteHandOver } from './occurred-at.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Hands a record over, lets both clocks pass as told, and returns how long ago it is said to have happened. */
async function agoMs({
  waitMs,
  sleepMs = 0,
  setMs = 0,
}: {
  waitMs: number;
  sleepMs?: number;
  setMs?: number;
}) {
  const clock = createTestClock();
  const handedOver = noteHandOver(clock);
  await clock.advance(waitMs);
  clock.sleep(sleepMs);
  clock.setWallClock(clock.now() + setMs);
  const occurredAt = findOccurredAt(handedOver, clock);
  return occurredAt === undefined ? undefined : clock.now() - occurredAt;
}

for (const [what, passed, expected] of [
  ['says nothing of a wait of 5 seconds', { waitMs: 5000 }, undefined],
  ['says when a record was handed over that waited longer', { waitMs: 5001 }, 5001],
  ['says so of a wait of a day', { waitMs: 24 * hourMs }, 24 * hourMs],
  ['says nothing of a longer wait, which the server may refuse', { waitMs: 24 * hourMs + 1 }, undefined],
  ['counts the time that the machine slept', { waitMs: 1000, sleepMs: hourMs }, hourMs + 1000],
  [
    'says nothing if the machine slept for longer than a day',
    { waitMs: 1000, sleepMs: 25 * hourMs },
    undefined,
  ],
  ['says nothing if a wrong clock was set years ahead', { waitMs: 1000, setMs: 9999 * hourMs }, undefined],
  ['is right if the clock was set back', { waitMs: 2 * minuteMs, setMs: -hourMs }, 2 * minuteMs],
  [
    'never names a time to come, however far the clock was set back',
    { waitMs: 1000, setMs: -hourMs },
    undefined,
  ],
] as const) {
  test(what, async () => assert.equal(await agoMs(passed), expected));
}

test('adds the time as the last member, in UTC', () => {
  const body = '{"Metrics":{}}';
  assert.equal(
    addOccurredAt(body, Date.UTC(2026, 0, 15, 9, 30, 0, 250)),
    '{"Metrics":{},"OccurredAt":"2026-01-15T09:30:00.250Z"}',
  );
  assert.equal(addOccurredAt(body, undefined), body);
});
