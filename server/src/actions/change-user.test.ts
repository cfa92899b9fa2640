import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openTestControl } from '../control/test-control.ts';
import { changeUser } from './change-user.ts';
import { removeUser } from './remove-user.ts';
import { ada, newPassword, password, readEntries } from './test-actions.ts';

async function open(t: TestContext) {
  const { control } = await openTestControl(t);
  await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
  await control.users.add({ ...ada, password, role: 'admin' });
  await control.users.add({ email: 'bob@example.com', password, role: 'admin' });
  return control;
}

test('a role and a password are changed together, each with its entry', async (t) => {
  const control = await open(t);
  const { token } = await control.sessions.start(2);
  const change = { id: 2, role: 'viewer' as const, websites: [1], password: newPassword };
  const user = await changeUser(control, ada, change);
  assert.deepEqual([user.role, user.websites], ['viewer', [1]]);
  assert.ok(await control.users.verify('bob@example.com', newPassword));
  assert.equal(await control.sessions.find(token), undefined);
  assert.deepEqual(
    (await readEntries(control)).map(({ action, subject }) => [action, subject]),
    [
      ['user.changed', 'bob@example.com'],
      ['user.password-changed', 'bob@example.com'],
    ],
  );
});

test('a weak password leaves the role unchanged', async (t) => {
  const control = await open(t);
  const change = { id: 2, role: 'viewer' as const, password: 'short' };
  await assert.rejects(changeUser(control, ada, change), { field: 'password' });
  assert.equal((await control.users.get(2))?.role, 'admin');
  assert.deepEqual(await readEntries(control), []);
});

test('an unknown website leaves the password unchanged', async (t) => {
  const control = await open(t);
  const change = { id: 2, role: 'viewer' as const, websites: [9], password: newPassword };
  await assert.rejects(changeUser(control, ada, change), { field: 'websites' });
  assert.ok(await control.users.verify('bob@example.com', password));
  assert.deepEqual(await readEntries(control), []);
});

test('users cannot take the admin role from themselves, or remove themselves', async (t) => {
  const control = await open(t);
  await assert.rejects(changeUser(control, ada, { id: 1, role: 'viewer' }), {
    reason: 'invalid',
    message: "You can't remove your own admin role. Ask another admin to do it.",
  });
  await assert.rejects(removeUser(control, ada, 1), {
    reason: 'invalid',
    message: "You can't remove yourself. Ask another admin to do it.",
  });
  assert.equal((await changeUser(control, 'command line', { id: 1, role: 'viewer' })).role, 'viewer');
});

test('a change without effect gets no entry, and a missing user is not found', async (t) => {
  const control = await open(t);
  assert.equal((await changeUser(control, ada, { id: 2 })).email, 'bob@example.com');
  await assert.rejects(changeUser(control, ada, { id: 9, role: 'viewer' }), { reason: 'not-found' });
  await assert.rejects(removeUser(control, ada, 9), { reason: 'not-found' });
  assert.deepEqual(await readEntries(control), []);
});
