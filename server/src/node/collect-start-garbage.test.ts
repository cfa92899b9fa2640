import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectGarbage, collectStartGarbage } from './collect-start-garbage.ts';

test('collects once, in the first ten seconds in which the process is idle', (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const shares = [0.9, 0.2, 0.05, 0.05];
  let collected = 0;
  collectStartGarbage({
    utilization: (now) => ({ idle: 0, active: 0, utilization: now === undefined ? 0 : shares.shift()! }),
    collect: () => {
      collected += 1;
    },
  });
  const afterTenSeconds = () => {
    t.mock.timers.tick(10_000);
    return collected;
  };
  assert.deepEqual(Array.from({ length: 4 }, afterTenSeconds), [0, 0, 1, 1]);
});

test('what nobody refers to is gone after a collection', async () => {
  const reference = (() => new WeakRef({ large: new Array(1e5).fill(0) }))();
  // A target that was made or read in this turn is kept until its end.
  await new Promise(setImmediate);
  collectGarbage();
  assert.equal(reference.deref(), undefined);
});
