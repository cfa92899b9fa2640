import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStarvation, type ThreadTimes } from './watch-starvation.ts';

const withinMs = 10_000;

/** Returns after how many milliseconds of such looks a process is starved, or undefined if it never is. */
function starvedAfter(look: (at: number) => ThreadTimes, gapMs: (at: number) => number = () => 1000) {
  const isStarved = createStarvation(withinMs);
  let nowMs = 5_000;
  isStarved(nowMs, look(0));
  for (let at = 1; at < 500; at += 1) {
    nowMs += gapMs(at);
    if (isStarved(nowMs, look(at))) return nowMs - 5_000;
  }
  return undefined;
}

test('threads that wait as those of a healthy engine do are not starved', () => {
  const never = (ranMs: number, waitedMs: number) =>
    assert.equal(
      starvedAfter(() => ({ ranMs, waitedMs })),
      undefined,
    );
  never(0, 0);
  // At 5,000 and at 20,000 records a second, on two processors that the sender shares.
  never(60, 100);
  never(70, 250);
  // Eight threads of its own share two processors.
  never(2_000, 6_000);
});

test('threads that wait most of the time and hardly run are starved, once the time is over', () => {
  assert.equal(
    starvedAfter(() => ({ ranMs: 5, waitedMs: 3_000 })),
    withinMs,
  );
  assert.equal(
    starvedAfter(
      () => ({ ranMs: 5, waitedMs: 20_000 }),
      () => 7_000,
    ),
    14_000,
    'looks come late',
  );
});

test('what happened before the first look, and a short while with others, do not count', () => {
  assert.equal(
    starvedAfter((at) => (at === 0 ? { ranMs: 5, waitedMs: 60_000 } : { ranMs: 50, waitedMs: 100 })),
    undefined,
  );
  assert.equal(
    starvedAfter((at) =>
      at >= 100 && at < 102 ? { ranMs: 5, waitedMs: 2_000 } : { ranMs: 50, waitedMs: 50 },
    ),
    undefined,
  );
});

test('a machine that was asleep has starved nobody', () => {
  assert.equal(
    starvedAfter(
      () => ({ ranMs: 50, waitedMs: 100 }),
      (at) => (at === 100 ? 3_600_000 : 1000),
    ),
    undefined,
  );
});
