import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createFakeClock, openTestControl } from '../test-control.ts';
import { filesHolding, runSql } from '../test-database.ts';
import { watchPasswords } from './test-passwords.ts';

const password = 'tea at eleven';

async function open(t: TestContext, options: { hasFullPasswordCost?: boolean; hasOwnThread?: boolean } = {}) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control, folder } = await openTestControl(t, { clock, ...options });
  for (const domain of ['example.com', 'other.example', 'third.example']) {
    await control.websites.add({ domain, timezone: 'UTC', contingent: null });
  }
  const { users } = control;
  const add = (email: string, role: 'admin' | 'viewer' = 'admin', websites?: number[]) =>
    users.add({ email, password, role, websites });
  return { clock, control, folder, users, add };
}

/** Counts the key derivations, which take most of the time of a sign-in. */
function countArgon2(t: TestContext, onCall: () => unknown = () => {}): { costs: string[] } {
  const costs: string[] = [];
  watchPasswords(t, {
    onAsked({ memory, passes, parallelism, tagLength }) {
      costs.push([memory, passes, parallelism, tagLength].join());
      return onCall();
    },
  });
  return { costs };
}

const lastAdmin = { name: 'ControlError', reason: 'not-allowed', message: /last admin.*Add another admin/ };
const usedUp = { name: 'ControlError', reason: 'not-allowed', message: /invalid or used one/ };

test('adds users, lists them and finds each by id and by email address', async (t) => {
  const { clock, users, add } = await open(t);
  assert.equal(await users.count(), 0);
  const ada = await add(' Ada@Example.com ');
  assert.deepEqual(ada, {
    id: 1,
    email: 'ada@example.com',
    role: 'admin',
    createdAt: clock.now(),
    lastSignInAt: null,
    language: null,
    websites: [],
  });
  const bob = await add('bob@example.com', 'viewer', [3, 1, 3]);
  assert.deepEqual(bob.websites, [1, 3]);
  assert.equal(await users.count(), 2);
  assert.deepEqual(await users.list(), [ada, bob]);
  assert.deepEqual(await users.get(2), bob);
  assert.deepEqual(await users.find('2'), bob);
  assert.deepEqual(await users.find('BOB@example.com '), bob);
  assert.deepEqual([...(await users.grantedTo(2))].sort(), [1, 3]);
  assert.deepEqual([...(await users.grantedTo(1))], []);
  for (const unknown of ['3', 'eve@example.com', 'no address', '']) {
    assert.equal(await users.find(unknown), undefined);
  }
  assert.equal(await users.get(3), undefined);
});

test('refuses a taken or invalid address, a weak password and an unknown website', async (t) => {
  const { users, add } = await open(t);
  await add('ada@example.com');
  await assert.rejects(add('ADA@example.com'), {
    reason: 'already-exists',
    field: 'email',
    message: /ada@example\.com/,
  });
  await assert.rejects(add('ada'), { reason: 'invalid', field: 'email' });
  const weak = users.add({ email: 'bob@example.com', password: 'Bob@Example.com', role: 'admin' });
  await assert.rejects(weak, { reason: 'invalid', field: 'password' });
  await assert.rejects(add('bob@example.com', 'viewer', [1, 99]), {
    reason: 'invalid',
    field: 'websites',
    message: /got 99, which does not exist.*website list/,
  });
  assert.equal(await users.count(), 1);
  assert.equal((await add('bob@example.com')).id, 2);
});

test('does not reuse the id of a removed user', async (t) => {
  const { users, add } = await open(t);
  await add('ada@example.com');
  const { id } = await add('bob@example.com');
  assert.equal((await users.remove(id)).email, 'bob@example.com');
  assert.equal(await users.get(id), undefined);
  assert.equal((await add('bob@example.com')).id, id + 1);
  await assert.rejects(users.remove(id), { reason: 'not-found', message: /User 2.*user list/ });
});

test('requires the first user to be an admin, because nobody else could add one in the browser', async (t) => {
  const { users, add } = await open(t);
  await assert.rejects(add('bob@example.com', 'viewer'), {
    reason: 'not-allowed',
    message: /expected an admin/,
  });
  assert.equal(await users.count(), 0);
});

test('verifies the right password of the right user', async (t) => {
  const { users, add } = await open(t);
  const ada = await add('ada@example.com');
  await users.add({ email: 'bob@example.com', password: 'coffee at three', role: 'admin' });
  assert.deepEqual((await users.verify(' ADA@example.com', password))?.user, ada);
  for (const [email, wrong] of [
    ['ada@example.com', 'coffee at three'],
    ['ada@example.com', `${password} `],
    ['ada@example.com', ''],
    ['eve@example.com', password],
    ['no address', password],
    ['', ''],
    [`ada@example.com' or 1=1 --`, password],
  ] as const) {
    assert.equal(await users.verify(email, wrong), undefined, email);
  }
});

test('does the same work for an unknown user as for a wrong password', async (t) => {
  const { users, add } = await open(t, { hasFullPasswordCost: true });
  await add('ada@example.com');
  const { costs } = countArgon2(t);
  assert.equal(await users.verify('ada@example.com', 'wrong password'), undefined);
  const forWrong = costs.splice(0);
  assert.equal(await users.verify('eve@example.com', 'wrong password'), undefined);
  const forUnknown = costs.splice(0);
  assert.deepEqual(forWrong, ['19456,2,1,32']);
  assert.deepEqual(forUnknown, forWrong);
});

test('rejects a password that was changed while it was being verified', async (t) => {
  const { folder, users, add } = await open(t);
  await add('ada@example.com');
  const { costs } = countArgon2(t, () => runSql(folder, `update users set password_hash = 'another'`));
  assert.equal(await users.verify('ada@example.com', password), undefined);
  assert.equal(costs.length, 1);
});

test('sets a password and ends the other sessions of this user', async (t) => {
  const { control, users, add } = await open(t);
  const [ada, bob] = [await add('ada@example.com'), await add('bob@example.com')];
  const start = async (id: number) => (await control.sessions.start(id)).token;
  const [here, there, ofBob] = [await start(ada!.id), await start(ada!.id), await start(bob!.id)];
  await users.setPassword(ada!.id, 'coffee at three', here);
  assert.equal(await users.verify('ada@example.com', password), undefined);
  assert.equal((await users.verify('ada@example.com', 'coffee at three'))?.user.id, ada!.id);
  assert.ok(await control.sessions.find(here!));
  assert.equal(await control.sessions.find(there!), undefined);
  assert.ok(await control.sessions.find(ofBob!));
  await users.setPassword(ada!.id, 'cocoa at nine');
  assert.equal(await control.sessions.find(here!), undefined);
});

test('keeps password and sessions when the new password is refused', async (t) => {
  const { control, users, add } = await open(t);
  const { id } = await add('ada@example.com');
  const { token } = await control.sessions.start(id);
  for (const weak of ['short', 'ada@example.com']) {
    await assert.rejects(users.setPassword(id, weak), { reason: 'invalid', field: 'password' });
  }
  await assert.rejects(users.setPassword(99, 'coffee at three'), { reason: 'not-found' });
  assert.ok(await control.sessions.find(token));
  assert.ok(await users.verify('ada@example.com', password));
});

test('changes role and grants, and keeps everything else', async (t) => {
  const { users, add } = await open(t);
  await add('ada@example.com');
  const { id } = await add('bob@example.com', 'viewer', [1]);
  const rights = async (change: Parameters<typeof users.update>[1]) => {
    const { role, websites } = await users.update(id, change);
    return { role, websites };
  };
  assert.deepEqual(await rights({}), { role: 'viewer', websites: [1] });
  assert.deepEqual(await rights({ websites: [2, 3] }), { role: 'viewer', websites: [2, 3] });
  await assert.rejects(rights({ websites: [1, 99] }), { reason: 'invalid', field: 'websites' });
  assert.deepEqual(await rights({ role: 'viewer' }), { role: 'viewer', websites: [2, 3] });
  assert.deepEqual(await rights({ role: 'admin', websites: [1] }), { role: 'admin', websites: [] });
  assert.deepEqual(await rights({ role: 'viewer' }), { role: 'viewer', websites: [] });
  assert.deepEqual(await rights({ websites: [] }), { role: 'viewer', websites: [] });
  await assert.rejects(users.update(99, { role: 'admin' }), { reason: 'not-found' });
});

test('removes grants with the website, and sessions and grants with the user', async (t) => {
  const { control, folder, users, add } = await open(t);
  await add('ada@example.com');
  const { id } = await add('bob@example.com', 'viewer', [1, 2]);
  const { token } = await control.sessions.start(id);
  await runSql(folder, 'delete from websites where id = 1');
  assert.deepEqual((await users.get(id))?.websites, [2]);
  await users.remove(id);
  assert.equal(await control.sessions.find(token), undefined);
  assert.deepEqual(await runSql(folder, 'select user_id from sessions'), []);
  assert.deepEqual(await runSql(folder, 'select user_id from grants'), []);
});

test('keeps the last admin as an admin', async (t) => {
  const { users, add } = await open(t);
  const ada = await add('ada@example.com');
  await add('bob@example.com', 'viewer');
  await assert.rejects(users.remove(ada.id), lastAdmin);
  await assert.rejects(users.update(ada.id, { role: 'viewer' }), lastAdmin);
  assert.equal((await users.update(ada.id, { role: 'admin', websites: [1] })).role, 'admin');
  const eve = await add('eve@example.com');
  assert.equal((await users.update(ada.id, { role: 'viewer' })).role, 'viewer');
  await assert.rejects(users.remove(eve.id), lastAdmin);
});

test('keeps one admin when several processes remove all of them at once', async (t) => {
  const { folder, users, add } = await open(t, { hasOwnThread: true });
  const { control: other } = await openTestControl(t, { folder, hasOwnThread: true });
  const ids: number[] = [];
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) ids.push((await add(`${name}@example.com`)).id);
  const outcomes = await Promise.allSettled(
    ids.map((id, at) => {
      const { update, remove } = at % 2 === 0 ? users : other.users;
      return at < 3 ? remove(id) : update(id, { role: 'viewer' });
    }),
  );
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 1);
  assert.equal((await users.list()).filter(({ role }) => role === 'admin').length, 1);
});

test('creates the first admin with the setup link, once', async (t) => {
  const { users } = await open(t);
  const token = await users.makeSetupToken();
  assert.match(token, /^[\w-]{43}$/);
  assert.equal(await users.hasSetupToken(token), true);
  const first = await users.addFirst({ token, email: 'Ada@example.com', password });
  assert.deepEqual([first.id, first.email, first.role], [1, 'ada@example.com', 'admin']);
  assert.equal(await users.hasSetupToken(token), false);
  await assert.rejects(users.addFirst({ token, email: 'eve@example.com', password }), usedUp);
  assert.equal(await users.count(), 1);
  assert.ok(await users.verify('ada@example.com', password));
});

test('lets only one of many simultaneous setup requests create the first user', async (t) => {
  const { folder, users } = await open(t, { hasOwnThread: true });
  const { control: other } = await openTestControl(t, { folder, hasOwnThread: true });
  const token = await users.makeSetupToken();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, at) => {
      const { addFirst } = at % 2 === 0 ? users : other.users;
      return addFirst({ token, email: `user${at}@example.com`, password });
    }),
  );
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  assert.equal(refused.length, 9);
  for (const error of refused) assert.match(error.message, usedUp.message);
  assert.equal(await users.count(), 1);
});

test('refuses a setup link that is wrong, replaced, or expired, without hashing a password', async (t) => {
  const { users, add } = await open(t);
  const { costs } = countArgon2(t);
  const addFirst = (token: string) => users.addFirst({ token, email: 'eve@example.com', password });
  await assert.rejects(addFirst(''), usedUp);
  const old = await users.makeSetupToken();
  const token = await users.makeSetupToken();
  for (const wrong of [old, '', 'A'.repeat(43), `${token} `]) {
    assert.equal(await users.hasSetupToken(wrong), false);
    await assert.rejects(addFirst(wrong), usedUp);
  }
  assert.equal(await users.hasSetupToken(token), true);
  assert.deepEqual(costs, []);
  await add('ada@example.com');
  assert.equal(await users.hasSetupToken(token), false);
  await assert.rejects(addFirst(token), usedUp);
});

test('a setup link that is created when there is a user adds no other', async (t) => {
  const { users, add } = await open(t);
  await add('ada@example.com');
  const token = await users.makeSetupToken();
  assert.equal(await users.hasSetupToken(token), false);
  await assert.rejects(users.addFirst({ token, email: 'eve@example.com', password }), usedUp);
});

test('the setup link stays valid when the form is refused', async (t) => {
  const { users } = await open(t);
  const token = await users.makeSetupToken();
  await assert.rejects(users.addFirst({ token, email: 'ada', password }), { field: 'email' });
  await assert.rejects(users.addFirst({ token, email: 'ada@example.com', password: 'x' }), {
    field: 'password',
  });
  assert.equal((await users.addFirst({ token, email: 'ada@example.com', password })).id, 1);
});

test('a setup link works after a restart, until it is replaced', async (t) => {
  const { control, folder, users } = await open(t);
  const token = await users.makeSetupToken();
  await control.close();
  const { control: again } = await openTestControl(t, { folder });
  assert.equal(await again.users.hasSetupToken(token), true);
  await again.users.makeSetupToken();
  assert.equal(await again.users.hasSetupToken(token), false);
});

test('writes neither the plain password nor the setup token to any file', async (t) => {
  const { control, folder, users } = await open(t);
  const token = await users.makeSetupToken();
  await users.addFirst({ token, email: 'ada@example.com', password });
  await users.verify('ada@example.com', 'a wrong password');
  await control.close();
  assert.deepEqual(await filesHolding(folder, 'ada@example.com'), ['control.db']);
  for (const secret of [password, 'a wrong password', token]) {
    assert.deepEqual(await filesHolding(folder, secret), []);
  }
});

test('keeps a user’s chosen language, and forgets it when asked to', async (t) => {
  const { control } = await openTestControl(t);
  const { id } = await control.users.add({ email: 'ada@example.com', password, role: 'admin' });
  assert.equal((await control.users.setLanguage(id, 'de')).language, 'de');
  assert.equal((await control.users.get(id))?.language, 'de');
  assert.equal((await control.users.setLanguage(id, null)).language, null);
  await assert.rejects(control.users.setLanguage(id + 1, 'de'), { reason: 'not-found' });
});
