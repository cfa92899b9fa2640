import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestControl } from '../test-control.ts';

test('a time that was told is never taken back', async (t) => {
  const { control } = await openTestControl(t);
  assert.equal(await control.toldTimes.read(1), 0);
  await Promise.all([30, 50, 40].map((ms) => control.toldTimes.raise(1, ms)));
  await control.toldTimes.raise(2, 10);
  assert.deepEqual([await control.toldTimes.read(1), await control.toldTimes.read(2)], [50, 10]);
});
