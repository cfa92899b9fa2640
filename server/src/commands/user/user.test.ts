import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createFakeClock, openTestControl } from '../../control/test-control.ts';
import { addUser, listUsers, removeUser, setPassword } from './user.ts';

const createdAt = '2026-03-10T09:00:00.000Z';
const password = 'tea at eleven';

async function open(t: TestContext) {
  const clock = createFakeClock(createdAt);
  const { control } = await openTestControl(t, { clock });
  for (const domain of ['example.com', 'other.example']) {
    await control.websites.add({ domain, timezone: 'UTC', contingent: null });
  }
  let asked = 0;
  const askPassword = async () => {
    asked++;
    return password;
  };
  const add = (email: string, role?: string, websites: string[] = []) =>
    addUser({ control, args: { email, role, websites }, askPassword });
  return { control, clock, askPassword, asked: () => asked, add };
}

test('adds an admin, who can sign in with the typed password', async (t) => {
  const { control, add } = await open(t);
  const { json, text } = await add('Ada@example.com');
  assert.deepEqual(json, {
    id: 1,
    email: 'ada@example.com',
    role: 'admin',
    createdAt,
    lastSignInAt: null,
    websites: [],
  });
  assert.equal(text, 'Added ada@example.com as an admin. They have full access.');
  assert.equal((await control.users.verify('ada@example.com', password))?.user.id, 1);
});

test('adds a viewer with websites given by id or by domain', async (t) => {
  const { control, add } = await open(t);
  await add('ada@example.com');
  const { text } = await add('bob@example.com', 'viewer', ['Other.example', '1']);
  assert.equal(text, 'Added bob@example.com as a viewer. They can see other.example, example.com.');
  assert.deepEqual((await control.users.find('bob@example.com'))?.websites, [1, 2]);
  assert.match((await add('eve@example.com', 'viewer')).text, /cannot see any websites yet/);
});

test('refuses invalid values before it asks for a password', async (t) => {
  const { control, add, asked } = await open(t);
  await add('ada@example.com');
  assert.equal(asked(), 1);
  await assert.rejects(add('bob@example.com', 'owner'), {
    message: '--role: expected admin or viewer, got "owner".',
  });
  await assert.rejects(add('bob@example.com', 'admin', ['1']), {
    message: /admins can see every website.*--role viewer/,
  });
  await assert.rejects(add('bob@example.com', 'viewer', ['nowhere.test']), { reason: 'not-found' });
  await assert.rejects(add('bob'), { reason: 'invalid', message: /got "bob"/ });
  await assert.rejects(add('ADA@example.com'), { reason: 'already-exists' });
  assert.equal(asked(), 1);
  assert.equal(await control.users.count(), 1);
});

test('changes a password and ends the sessions', async (t) => {
  const { control, add } = await open(t);
  await add('ada@example.com');
  const { token } = await control.sessions.start(1);
  const askPassword = async () => 'coffee at three';
  const { text } = await setPassword({ control, args: { user: 'ada@example.com' }, askPassword });
  assert.match(text, /^Changed the password of ada@example\.com\./);
  assert.equal(await control.sessions.find(token), undefined);
  assert.equal(await control.users.verify('ada@example.com', password), undefined);
  assert.ok(await control.users.verify('ada@example.com', 'coffee at three'));
});

test('lists the users', async (t) => {
  const { control, clock, add } = await open(t);
  assert.match((await listUsers({ control })).text, /no users yet.*trackside user add EMAIL/);
  await add('ada@example.com');
  await add('bob@example.com', 'viewer', ['example.com', 'other.example']);
  clock.pass(25 * 60 * 60_000);
  await control.sessions.start(1);
  const { json, text } = await listUsers({ control });
  assert.deepEqual(text.split('\n'), [
    'id  email            role    websites                    created     last sign-in (UTC)',
    '1   ada@example.com  admin   all                         2026-03-10  2026-03-11 10:00',
    '2   bob@example.com  viewer  example.com, other.example  2026-03-10  never',
  ]);
  const { users } = json as { users: { lastSignInAt: string | null; websites: number[] }[] };
  assert.equal(users[0]!.lastSignInAt, '2026-03-11T10:00:00.000Z');
  assert.deepEqual(users[1]!.websites, [1, 2]);
});

test('removes a user, but not the last admin', async (t) => {
  const { control, add } = await open(t);
  await add('ada@example.com');
  await add('bob@example.com', 'viewer');
  const remove = (user: string) => removeUser({ control, args: { user } });
  assert.equal(
    (await remove('BOB@example.com')).text,
    'Removed bob@example.com, and signed them out everywhere.',
  );
  await assert.rejects(remove('ada@example.com'), { reason: 'not-allowed', message: /last admin/ });
  assert.equal(await control.users.count(), 1);
});

test('says what to do about a user that does not exist', async (t) => {
  const { control, askPassword, asked } = await open(t);
  for (const user of ['7', 'eve@example.com', '']) {
    const refusal = { reason: 'not-found', message: /got "(?:7|eve@example\.com|)".*trackside user list/ };
    await assert.rejects(removeUser({ control, args: { user } }), refusal);
    await assert.rejects(setPassword({ control, args: { user }, askPassword }), refusal);
  }
  assert.equal(asked(), 0);
});

test('records what was done, but no password', async (t) => {
  const { control, askPassword, add } = await open(t);
  await add('ada@example.com');
  await add('bob@example.com', 'viewer', ['other.example']);
  await setPassword({ control, args: { user: 'bob@example.com' }, askPassword });
  await removeUser({ control, args: { user: 'bob@example.com' } });
  await assert.rejects(removeUser({ control, args: { user: 'ada@example.com' } }));
  const entries = (await control.auditLog.list({ limit: 50 })).reverse();
  assert.deepEqual(
    entries.map(({ actor, action, subject, detail }) => [actor, action, subject, detail]),
    [
      ['command line', 'user.added', 'ada@example.com', { role: 'admin', websites: [] }],
      ['command line', 'user.added', 'bob@example.com', { role: 'viewer', websites: [2] }],
      ['command line', 'user.password-changed', 'bob@example.com', {}],
      ['command line', 'user.removed', 'bob@example.com', {}],
    ],
  );
});
