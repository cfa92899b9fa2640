import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createStarvation } from './watch-starvation.ts';

const withinMs = 20_000;

/** Returns after how many milliseconds of such looks the process is starved, or undefined if it never is. */
function starvedAfter(gapMs: (look: number) => number, looks = 500): number | undefined {
  const isStarved = createStarvation(withinMs, 0);
  let nowMs = 0;
  for (let look = 0; look < looks; look += 1) {
    nowMs += gapMs(look);
    if (isStarved(nowMs)) return nowMs;
  }
  return undefined;
}

test('a process that is only a little late is not starved', () => {
  assert.equal(
    starvedAfter(() => 500),
    undefined,
  );
  assert.equal(
    starvedAfter((look) => 500 + (look % 10) * 12),
    undefined,
  );
  assert.equal(
    starvedAfter((look) => (look % 10 === 0 ? 1500 : 500)),
    undefined,
    'a tenth of the looks',
  );
});

test('a process that waits for half of its time is starved, and not before the time is over', () => {
  const after = starvedAfter(() => 1000);
  assert.ok(after !== undefined && after >= withinMs && after < withinMs + 1000, String(after));
  assert.equal(
    starvedAfter(() => 9_000),
    27_000,
    'one that hardly runs at all',
  );
});

test('neither a machine that was asleep nor a short while with others is too little', () => {
  assert.equal(
    starvedAfter((look) => (look === 100 ? 3_600_000 : 500)),
    undefined,
  );
  assert.equal(
    starvedAfter((look) => (look >= 100 && look < 104 ? 1_200 : 500)),
    undefined,
  );
});
