import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { monthOf } from './utc-month.ts';

test('returns the month that contains any given time', () => {
  const time = fc.date({ min: new Date('1971-01-01'), max: new Date('2999-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(time, (date) => {
      const { name, startsAt, endsAt } = monthOf(date.getTime());
      assert.ok(startsAt <= date.getTime() && date.getTime() < endsAt);
      assert.equal(new Date(startsAt).toISOString(), `${name}-01T00:00:00.000Z`);
      assert.equal(monthOf(endsAt).startsAt, endsAt);
      assert.notEqual(monthOf(endsAt).name, name);
    }),
  );
});

test('continues from December to January of the next year', () => {
  const { name, endsAt } = monthOf(Date.parse('2026-12-31T23:59:59.999Z'));
  assert.equal(name, '2026-12');
  assert.equal(monthOf(endsAt).name, '2027-01');
});
