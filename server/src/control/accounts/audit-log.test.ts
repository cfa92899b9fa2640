import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFakeClock, openTestControl } from '../test-control.ts';
import { auditLogKeptMs } from './audit-log.ts';

test('lists what happened, newest first, a page at a time', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t, { clock });
  const { auditLog } = control;
  assert.deepEqual(await auditLog.list({ limit: 50 }), []);
  const startedAt = clock.now();
  await auditLog.add({ actor: 'command line', action: 'user.added', subject: 'ada@example.com' });
  clock.pass(1000);
  await auditLog.add({
    actor: 'ada@example.com',
    action: 'website.contingent-changed',
    websiteId: 7,
    subject: 'example.com',
    detail: { from: null, to: 5000 },
  });
  const all = await auditLog.list({ limit: 50 });
  assert.deepEqual(all, [
    {
      id: 2,
      at: startedAt + 1000,
      actor: 'ada@example.com',
      action: 'website.contingent-changed',
      websiteId: 7,
      subject: 'example.com',
      detail: { from: null, to: 5000 },
    },
    {
      id: 1,
      at: startedAt,
      actor: 'command line',
      action: 'user.added',
      websiteId: null,
      subject: 'ada@example.com',
      detail: {},
    },
  ]);
  assert.deepEqual(await auditLog.list({ limit: 1 }), all.slice(0, 1));
  assert.deepEqual(await auditLog.list({ before: 2, limit: 1 }), all.slice(1));
  assert.deepEqual(await auditLog.list({ before: 1, limit: 1 }), []);
});

test('keeps the order of events when the clock is set back', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t, { clock });
  for (const subject of ['a', 'b', 'c']) {
    await control.auditLog.add({ actor: 'x', action: 'website.added', subject });
    clock.jump(-60_000);
  }
  const subjects = (await control.auditLog.list({ limit: 50 })).map(({ subject }) => subject);
  assert.deepEqual(subjects, ['c', 'b', 'a']);
});

test('numbers entries of several processes without gaps or clashes', async (t) => {
  const { control, folder } = await openTestControl(t, { hasOwnThread: true });
  const { control: other } = await openTestControl(t, { folder, hasOwnThread: true });
  await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      (at % 2 === 0 ? control : other).auditLog.add({
        actor: 'x',
        action: 'user.signed-in',
        subject: String(at),
      }),
    ),
  );
  const ids = (await control.auditLog.list({ limit: 50 })).map(({ id }) => id);
  assert.deepEqual(
    ids,
    Array.from({ length: 20 }, (_, at) => 20 - at),
  );
});

test('removes entries older than two years, and never reuses their numbers', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t, { clock });
  const { auditLog } = control;
  const add = () => auditLog.add({ actor: 'x', action: 'user.signed-in', subject: 'x' });
  const ids = async () => (await auditLog.list({ limit: 50 })).map(({ id }) => id);
  await add();
  clock.pass(auditLogKeptMs);
  await auditLog.clearOlderThan(auditLogKeptMs);
  assert.deepEqual(await ids(), [1]);
  await add();
  clock.pass(1);
  await auditLog.clearOlderThan(auditLogKeptMs);
  assert.deepEqual(await ids(), [2]);
  clock.pass(auditLogKeptMs);
  await auditLog.clearOlderThan(auditLogKeptMs);
  await add();
  assert.deepEqual(await ids(), [3]);
});
