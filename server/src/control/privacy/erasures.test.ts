import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, openTestControl } from '../test-control.ts';

const startMs = Date.parse('2026-03-10T09:00:00Z');

test('records an erasure with its time, and raises the revision', async (t) => {
  const { control } = await openTestControl(t);
  const revision = await control.revision();
  const added = await control.erasures.add(3, '18446744073709551615');
  assert.deepEqual(added, { websiteId: 3, visitorId: '18446744073709551615', receivedBefore: startMs });
  assert.deepEqual(await control.erasures.list(), [{ ...added, appliedBefore: null, visits: [] }]);
  assert.equal(await control.revision(), revision + 1);
});

test('repeating it moves the time forward, and a clock that was set back does not move it back', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t, { clock });
  await control.erasures.add(1, '7');
  await control.erasures.add(2, '7');
  clock.pass(5000);
  assert.equal((await control.erasures.add(1, '7')).receivedBefore, startMs + 5000);
  clock.jump(-3_600_000);
  assert.equal((await control.erasures.add(1, '7')).receivedBefore, startMs + 5000);
  assert.deepEqual(
    (await control.erasures.list()).map(({ receivedBefore }) => receivedBefore - startMs),
    [5000, 0],
  );
});

test('keeps the visits of a person with the erasure, which applies once they are known', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t, { clock });
  const erasure = await control.erasures.add(1, '7');
  const visits = [{ deviceId: '900', receivedFrom: 1, receivedUntil: 5 }];
  const revision = await control.revision();
  await control.erasures.apply(erasure, visits);
  assert.equal(await control.revision(), revision + 1);
  clock.pass(1000);
  const again = await control.erasures.add(1, '7');
  assert.deepEqual(await control.erasures.list(), [{ ...again, appliedBefore: startMs, visits }]);
  const more = [{ deviceId: '901', receivedFrom: 6, receivedUntil: 8 }];
  await control.erasures.apply(again, more);
  assert.deepEqual(await control.erasures.list(), [
    { ...again, appliedBefore: startMs + 1000, visits: [...visits, ...more] },
  ]);
  await control.erasures.clearBefore(startMs + 2000);
  const other = await control.erasures.add(1, '7');
  assert.deepEqual(await control.erasures.list(), [{ ...other, appliedBefore: null, visits: [] }]);
});

test('clears only erasures before a given time, and tells nodes only if there were any', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t, { clock });
  await control.erasures.add(1, '7');
  clock.pass(1000);
  await control.erasures.add(1, '8');
  const revision = await control.revision();
  assert.equal(await control.erasures.clearBefore(startMs), 0);
  assert.equal(await control.revision(), revision);
  assert.equal(await control.erasures.clearBefore(startMs + 1000), 1);
  assert.equal(await control.revision(), revision + 1);
  assert.deepEqual(
    (await control.erasures.list()).map(({ visitorId }) => visitorId),
    ['8'],
  );
});

test('accepts only a number for a visitor, and does not repeat other input', async (t) => {
  const { control } = await openTestControl(t);
  await assert.rejects(control.erasures.add(1, 'jane@example.com'), (error: Error) => {
    assert.match(error.message, /expected a visitor's 64 bits/);
    assert.doesNotMatch(error.message, /jane/);
    return true;
  });
});
