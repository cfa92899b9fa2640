import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openTestControl } from '../control/test-control.ts';
import { changePassword } from './change-password.ts';
import { setUp } from './set-up.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { ada, newPassword, password, readEntries } from './test-actions.ts';

const from = { address: '203.0.113.7', deviceProof: undefined, sessionToken: '' };

async function open(t: TestContext) {
  const { control } = await openTestControl(t);
  const user = await control.users.add({ ...ada, password, role: 'admin' });
  return { control, user };
}

test('signing in ends the browser’s previous session, and starts a new one', async (t) => {
  const { control, user } = await open(t);
  const { token: sessionToken } = await control.sessions.start(user.id);
  const outcome = await signIn(control, { ...ada, ...from, password, sessionToken });
  assert.ok('session' in outcome);
  assert.equal(outcome.user.id, user.id);
  assert.equal(await control.sessions.find(sessionToken), undefined);
  assert.equal((await control.sessions.find(outcome.session.token))?.userId, user.id);
  await signOut(control, outcome.session.token);
  assert.equal(await control.sessions.find(outcome.session.token), undefined);
});

test('a wrong password starts no session and gets no entry', async (t) => {
  const { control } = await open(t);
  const outcome = await signIn(control, { ...ada, ...from, password: newPassword });
  assert.deepEqual(outcome, { refused: 'wrong' });
  assert.deepEqual(await readEntries(control), []);
});

test('a new password ends all sessions except the one that it starts', async (t) => {
  const { control, user } = await open(t);
  const { token: sessionToken } = await control.sessions.start(user.id);
  const change = (currentPassword: string) =>
    changePassword(control, user, { sessionToken, currentPassword, newPassword });
  assert.deepEqual(await change('not the password'), { refused: 'wrong' });
  assert.deepEqual(await readEntries(control), []);
  const outcome = await change(password);
  assert.ok('session' in outcome);
  assert.equal(await control.sessions.find(sessionToken), undefined);
  assert.equal((await control.sessions.find(outcome.session.token))?.userId, user.id);
  assert.ok(await control.users.verify(ada.email, newPassword));
});

test('a password that is set meanwhile keeps out those who know the old one', async (t) => {
  const { control, user } = await open(t);
  const resetPassword = 'reset by an admin';
  const { token: sessionToken } = await control.sessions.start(user.id);
  /** Everything up to the transaction has happened by the time an admin sets another password. */
  const late: Pick<typeof control, 'signIn' | 'users' | 'transact'> = {
    ...control,
    async transact(work) {
      await control.users.setPassword(user.id, resetPassword);
      return await control.transact(work);
    },
  };
  const change = { sessionToken, currentPassword: password, newPassword };
  assert.deepEqual(await changePassword(late, user, change), { refused: 'wrong' });
  assert.ok(await control.users.verify(ada.email, resetPassword));
  await control.users.setPassword(user.id, password);
  assert.deepEqual(await signIn(late, { ...ada, ...from, password }), { refused: 'wrong' });
  assert.deepEqual(await readEntries(control), []);
});

test('the setup link creates one admin, who is signed in', async (t) => {
  const { control } = await openTestControl(t);
  const token = await control.users.makeSetupToken();
  const refused = { reason: 'not-allowed', message: /Setup link/ };
  await assert.rejects(setUp(control, { ...ada, token: 'wrong', password }), refused);
  const { user, session } = await setUp(control, { ...ada, token, password });
  assert.equal(user.role, 'admin');
  assert.equal((await control.sessions.find(session.token))?.userId, user.id);
  await assert.rejects(setUp(control, { email: 'eve@example.com', token, password }), refused);
  assert.equal((await readEntries(control)).length, 1);
});
