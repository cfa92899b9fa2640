import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createTestLog, openTestControl } from '../../control/test-control.ts';
import { ensureFirstUser } from './ensure-first-user.ts';

const given = { email: 'Ada@example.com', password: 'tea at eleven' };

async function open(t: TestContext) {
  const { control } = await openTestControl(t);
  const { log, messages } = createTestLog();
  return {
    control,
    messages,
    ensure: (of: Partial<typeof given>) =>
      ensureFirstUser({
        control,
        log,
        email: undefined,
        password: undefined,
        ...of,
      }),
  };
}

test('creates the first admin, with an entry that does not contain the password', async (t) => {
  const { control, messages, ensure } = await open(t);
  await ensure(given);
  const verified = await control.users.verify('ada@example.com', given.password);
  assert.equal(verified?.user.role, 'admin');
  const [entry] = await control.auditLog.list({ limit: 9 });
  assert.deepEqual(
    [entry?.actor, entry?.action, entry?.subject],
    ['environment', 'user.added', 'ada@example.com'],
  );
  assert.ok(![JSON.stringify(entry), ...messages].some((text) => text.includes(given.password)));
});

test('changes nobody once there is a user, and says so', async (t) => {
  const { control, messages, ensure } = await open(t);
  await control.users.add({ email: 'bob@example.com', password: 'coffee at three', role: 'admin' });
  await ensure(given);
  await ensure({ email: 'bob@example.com', password: 'another password' });
  assert.equal(await control.users.count(), 1);
  assert.ok(await control.users.verify('bob@example.com', 'coffee at three'));
  assert.match(messages.at(-1)!, /users already exist: TRACKSIDE_ADMIN_EMAIL/);
  assert.equal(messages.length, 2);
});

test('does nothing when nothing is set', async (t) => {
  const { control, messages, ensure } = await open(t);
  await ensure({});
  assert.equal(await control.users.count(), 0);
  assert.deepEqual(messages, []);
});

test('requires both settings or neither, even when there is a user', async (t) => {
  const { control, ensure } = await open(t);
  const refusals = async () => {
    const name = 'ConfigError';
    const noPassword = /^TRACKSIDE_ADMIN_PASSWORD: expected a value, because TRACKSIDE_ADMIN_EMAIL is set/;
    await assert.rejects(ensure({ email: given.email }), { name, message: noPassword });
    const noEmail = /^TRACKSIDE_ADMIN_EMAIL: expected a value, because TRACKSIDE_ADMIN_PASSWORD is set/;
    await assert.rejects(ensure({ password: given.password }), { name, message: noEmail });
  };
  await refusals();
  assert.equal(await control.users.count(), 0);
  await ensure(given);
  await refusals();
});

test('names the invalid setting', async (t) => {
  const { control, ensure } = await open(t);
  const name = 'ConfigError';
  await assert.rejects(ensure({ ...given, email: 'ada' }), {
    name,
    message: /^TRACKSIDE_ADMIN_EMAIL: .*got "ada"/,
  });
  await assert.rejects(ensure({ ...given, password: 'short' }), {
    name,
    message: /^TRACKSIDE_ADMIN_PASSWORD: .*10 to 200 characters, got 5/,
  });
  assert.equal(await control.users.count(), 0);
});
