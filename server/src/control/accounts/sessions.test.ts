import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createFakeClock, openTestControl } from '../test-control.ts';
import { filesHolding, runSql } from '../test-database.ts';
import { hashApiKey } from '../websites/hash-api-key.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

async function open(t: TestContext) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control, folder } = await openTestControl(t, { clock });
  const add = (email: string) => control.users.add({ email, password: 'tea at eleven', role: 'admin' });
  const [ada, bob] = [await add('ada@example.com'), await add('bob@example.com')];
  return { clock, control, folder, sessions: control.sessions, ada: ada!, bob: bob! };
}

/** Reads when sessions were used, from the table. */
async function readUses(folder: string): Promise<number[]> {
  const rows = await runSql(folder, 'select last_used_at from sessions order by created_at');
  return rows.map((row) => Number(row.last_used_at));
}

test('finds a session by its token, with its user and the end that was announced', async (t) => {
  const { clock, sessions, ada, bob } = await open(t);
  const [one, two] = [await sessions.start(ada.id), await sessions.start(bob.id)];
  assert.match(one!.token, /^[\w-]{43}$/);
  assert.notEqual(one!.token, two!.token);
  assert.equal(one!.expiresAt, clock.now() + 30 * dayMs);
  assert.deepEqual(await sessions.find(one!.token), { userId: ada.id, expiresAt: one!.expiresAt });
  assert.deepEqual(await sessions.find(two!.token), { userId: bob.id, expiresAt: two!.expiresAt });
});

test('finds nothing by a hash or by a token that is not exactly right', async (t) => {
  const { sessions, ada } = await open(t);
  const { token } = await sessions.start(ada.id);
  const wrong = [
    '',
    hashApiKey(token),
    token.slice(1),
    `${token}=`,
    ` ${token}`,
    `${token}\n`,
    'A'.repeat(43),
  ];
  for (const text of wrong) assert.equal(await sessions.find(text), undefined, text);
});

test('records the sign-in of the user, and refuses an unknown user', async (t) => {
  const { clock, control, sessions, ada, bob } = await open(t);
  clock.pass(hourMs);
  await sessions.start(ada.id);
  assert.equal((await control.users.get(ada.id))?.lastSignInAt, clock.now());
  assert.equal((await control.users.get(bob.id))?.lastSignInAt, null);
  await assert.rejects(sessions.start(99), { reason: 'not-found', message: /User 99.*trackside user list/ });
});

test('ends 30 days after the last use', async (t) => {
  const { clock, sessions, ada } = await open(t);
  const { token } = await sessions.start(ada.id);
  clock.pass(30 * dayMs - 1);
  assert.equal((await sessions.find(token))?.expiresAt, clock.now() + 30 * dayMs);
  clock.pass(30 * dayMs - 1);
  assert.ok(await sessions.find(token));
  clock.pass(30 * dayMs);
  assert.equal(await sessions.find(token), undefined);
});

test('ends 90 days after its start, however often it is used', async (t) => {
  const { clock, sessions, ada } = await open(t);
  const startedAt = clock.now();
  const { token } = await sessions.start(ada.id);
  let last = 0;
  for (let day = 1; day < 90; day++) {
    clock.pass(dayMs);
    last = (await sessions.find(token))?.expiresAt ?? 0;
  }
  assert.equal(last, startedAt + 90 * dayMs);
  clock.pass(dayMs - 1);
  assert.ok(await sessions.find(token));
  clock.pass(1);
  assert.equal(await sessions.find(token), undefined);
});

test('writes the last use at most once an hour', async (t) => {
  const { clock, folder, sessions, ada } = await open(t);
  const startedAt = clock.now();
  const { token } = await sessions.start(ada.id);
  clock.pass(hourMs - 1);
  await sessions.find(token);
  assert.deepEqual(await readUses(folder), [startedAt]);
  clock.pass(1);
  await sessions.find(token);
  assert.deepEqual(await readUses(folder), [startedAt + hourMs]);
});

test('a clock that was ahead does not make a session last longer', async (t) => {
  const { clock, sessions, ada } = await open(t);
  clock.jump(365 * dayMs);
  const { token } = await sessions.start(ada.id);
  clock.jump(-365 * dayMs);
  const correctedAt = clock.now();
  assert.equal((await sessions.find(token))?.expiresAt, correctedAt + 30 * dayMs);
  for (let day = 1; day < 90; day++) {
    clock.pass(dayMs);
    assert.ok(await sessions.find(token));
  }
  clock.pass(dayMs);
  assert.equal(await sessions.find(token), undefined);
});

test('ends one session, all of a user, or all but one, and none of another user', async (t) => {
  const { sessions, folder, ada, bob } = await open(t);
  const { control: node } = await openTestControl(t, { folder });
  const tokens: string[] = [];
  for (const { id } of [ada, ada, ada, ada, bob]) tokens.push((await sessions.start(id)).token);
  const alive = async () => {
    const found = await Promise.all(tokens.map((token) => node.sessions.find(token)));
    return found.flatMap((session, at) => (session === undefined ? [] : [at]));
  };
  await sessions.end(tokens[0]!);
  assert.deepEqual(await alive(), [1, 2, 3, 4]);
  await sessions.endAll(ada.id, tokens[2]);
  assert.deepEqual(await alive(), [2, 4]);
  await sessions.endAll(ada.id);
  assert.deepEqual(await alive(), [4]);
  await sessions.end(tokens[0]!);
  await sessions.end('');
  assert.deepEqual(await alive(), [4]);
});

test('another user’s session does not count as the one to keep', async (t) => {
  const { sessions, ada, bob } = await open(t);
  const [one, two] = [await sessions.start(ada.id), await sessions.start(bob.id)];
  await sessions.endAll(ada.id, two!.token);
  assert.equal(await sessions.find(one!.token), undefined);
  assert.ok(await sessions.find(two!.token));
});

test('removes only expired sessions', async (t) => {
  const { clock, folder, sessions, ada } = await open(t);
  await sessions.start(ada.id);
  clock.pass(30 * dayMs - 1);
  const { token } = await sessions.start(ada.id);
  await sessions.clearExpired();
  assert.equal((await readUses(folder)).length, 2);
  clock.pass(1);
  await sessions.clearExpired();
  assert.equal((await readUses(folder)).length, 1);
  assert.ok(await sessions.find(token));
});

test('writes the plain token to no file', async (t) => {
  const { control, folder, sessions, ada } = await open(t);
  const { token } = await sessions.start(ada.id);
  await sessions.find(token);
  await control.close();
  assert.deepEqual(await filesHolding(folder, hashApiKey(token)), ['control.db']);
  assert.deepEqual(await filesHolding(folder, token), []);
  assert.deepEqual(await filesHolding(folder, Buffer.from(token, 'base64url')), []);
});

test('lists the sessions of a user, and ends one by its id', async (t) => {
  const { sessions, ada, bob, clock } = await open(t);
  const { token } = await sessions.start(ada.id, 'Firefox on Linux');
  clock.pass(2 * hourMs);
  const { token: other } = await sessions.start(ada.id);
  const { token: ofBob } = await sessions.start(bob.id, 'x'.repeat(500));
  const [second, first] = await sessions.list(ada.id, token);
  assert.deepEqual(
    [second, first].map((session) => [session?.device, session?.isCurrent]),
    [
      ['Firefox on Linux', true],
      [null, false],
    ],
  );
  assert.ok(!token.includes(second!.id), 'the id does not give the token away');
  assert.equal((await sessions.list(bob.id, ofBob))[0]?.device?.length, 100);

  assert.equal(await sessions.endOf(bob.id, first!.id), false, 'of another user');
  assert.equal(await sessions.endOf(ada.id, ''), false);
  assert.equal(await sessions.endOf(ada.id, '%'.repeat(32)), false);
  assert.equal(await sessions.endOf(ada.id, first!.id), true);
  assert.equal(await sessions.endOf(ada.id, first!.id), false);
  assert.equal(await sessions.find(other), undefined);
  assert.equal((await sessions.find(token))?.userId, ada.id);
});
