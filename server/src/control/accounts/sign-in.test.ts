import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { ControlError } from '../database/control-error.ts';
import { createFakeClock, openTestControl } from '../test-control.ts';
import { testOnPostgresInLongForm } from '../test-database.ts';
import { watchPasswords } from './test-passwords.ts';

const email = 'ada@example.com';
const password = 'tea at eleven';
const wrongOne = 'milk at twelve';
const office = '203.0.113.7';

async function open(t: TestContext) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control, folder } = await openTestControl(t, { clock });
  const ada = await control.users.add({ email, password, role: 'admin' });
  const { signIn } = control;
  /** The status that the attempt would be answered with. */
  const attempt = async (given: {
    email?: string;
    password?: string;
    address?: string | undefined;
    deviceProof?: string;
  }): Promise<number> => {
    const attempted = signIn.attempt({
      email,
      password: wrongOne,
      deviceProof: undefined,
      address: 'address' in given ? given.address : office,
      ...given,
    } as Parameters<typeof signIn.attempt>[0]);
    const outcome = await attempted.catch((error: unknown) => {
      if (error instanceof ControlError && error.reason === 'busy') return undefined;
      throw error;
    });
    if (outcome === undefined) return 503;
    if ('user' in outcome) return 200;
    return outcome.refused === 'wait' ? 429 : 401;
  };
  return { clock, control, folder, ada, signIn, attempt };
}

/** Counts the statements that the database gets. */
function countStatements(t: TestContext): { statements: () => number } {
  let count = 0;
  const { postMessage } = Worker.prototype;
  t.mock.method(Worker.prototype, 'postMessage', function (this: Worker, message: object) {
    if (typeof message === 'object' && 'sql' in message) count++;
    postMessage.call(this, message);
  });
  return { statements: () => count };
}

const countOf = (statuses: number[]) =>
  Object.fromEntries(
    Map.groupBy(statuses, (status) => status)
      .entries()
      .map(([status, all]) => [status, all.length]),
  );

test('a thousand simultaneous wrong sign-ins cause only a few database queries', async (t) => {
  const { attempt } = await open(t);
  const { statements } = countStatements(t);
  const others = (at: number) => ({ email: `user${at}@example.com`, address: undefined });
  const flood = await Promise.all(Array.from({ length: 1000 }, (_, at) => attempt(others(at))));
  assert.deepEqual(Object.keys(countOf(flood)), ['401', '503']);
  assert.ok(countOf(flood)[401]! <= 16);
  assert.ok(statements() <= 16 * 15, `expected few statements, got ${statements()}`);
  // These use up the allowance of strangers. From then on, the answer comes from memory.
  for (let at = 0; at < 25; at++) await attempt(others(1000 + at));
  const before = statements();
  const later = await Promise.all(Array.from({ length: 1000 }, (_, at) => attempt(others(2000 + at))));
  assert.deepEqual(countOf(later), { 429: 1000 });
  assert.equal(statements(), before);
});

testOnPostgresInLongForm(
  'tells strangers beyond the limit before reading their request, but not known devices',
  async (t) => {
    const { attempt, signIn, ada } = await open(t);
    const deviceProof = await signIn.proveDevice(ada);
    const waits = () => [
      signIn.knownWait({ address: office, deviceProof: undefined }).waitSeconds,
      signIn.knownWait({ address: office, deviceProof }).waitSeconds,
    ];
    assert.deepEqual(waits(), [0, 0]);
    const line = Array.from({ length: 16 }, (_, at) => attempt({ email: `user${at}@example.com` }));
    assert.deepEqual(waits(), [1, 0]);
    await Promise.all(line);
    assert.deepEqual(waits(), [0, 0]);
  },
);

testOnPostgresInLongForm(
  'hashes no password for a guess that must wait or that there is no room for',
  async (t) => {
    const { attempt } = await open(t);
    for (let at = 0; at < 6; at++) await attempt({});
    const asked = watchPasswords(t);
    assert.equal(await attempt({}), 429);
    const flood = Array.from({ length: 500 }, (_, at) => attempt({ address: `198.51.100.${at % 250}` }));
    await Promise.all(flood);
    assert.deepEqual(asked, []);
  },
);

for (const [where, address] of [
  ['the same address', office],
  ['behind a proxy that is not trusted', undefined],
] as const) {
  testOnPostgresInLongForm(
    `a known device can sign in during a flood of guesses at its account, ${where}`,
    async (t) => {
      const { ada, signIn, attempt } = await open(t);
      const deviceProof = await signIn.proveDevice(ada);
      for (let at = 0; at < 30; at++) await attempt({ address });
      assert.equal(await attempt({ address, password }), 429, 'a stranger waits, whatever the password is');
      let isOver = false;
      const flood = Array.from({ length: 50 }, async () => {
        while (!isOver) {
          await attempt({ address });
          await new Promise(setImmediate);
        }
      });
      for (let times = 0; times < 10; times++)
        assert.equal(await attempt({ address, password, deviceProof }), 200);
      isOver = true;
      await Promise.all(flood);
    },
  );
}

testOnPostgresInLongForm('nobody can spray sixty accounts, from one address or from none', async (t) => {
  const { attempt } = await open(t);
  for (const address of [office, undefined]) {
    const statuses: number[] = [];
    for (let at = 0; at < 60; at++) statuses.push(await attempt({ email: `user${at}@example.com`, address }));
    assert.ok(countOf(statuses)[401]! <= 20, JSON.stringify(countOf(statuses)));
  }
});

testOnPostgresInLongForm('a device has guesses only for its own account, and few of them', async (t) => {
  const { ada, control, signIn, attempt } = await open(t);
  await control.users.add({ email: 'bob@example.com', password, role: 'viewer' });
  const deviceProof = await signIn.proveDevice(ada);
  const statuses: number[] = [];
  for (let at = 0; at < 60; at++) statuses.push(await attempt({ deviceProof }));
  assert.deepEqual(countOf(statuses), { 401: 5, 429: 55 });
  assert.equal(await attempt({ deviceProof, password }), 429);
  for (let at = 0; at < 30; at++) await attempt({ email: 'bob@example.com' });
  assert.equal(await attempt({ email: 'bob@example.com', password, deviceProof }), 429);
});

testOnPostgresInLongForm(
  'tells a waiting device before its password is checked, but not others',
  async (t) => {
    const { ada, signIn, attempt } = await open(t);
    const deviceProof = await signIn.proveDevice(ada);
    for (let at = 0; at < 6; at++) await attempt({ deviceProof });
    assert.ok(signIn.knownWait({ address: office, deviceProof }).waitSeconds > 0);
    assert.equal(signIn.knownWait({ address: office, deviceProof: undefined }).waitSeconds, 0);
  },
);

test('a new password turns all devices into strangers except the one that set it', async (t) => {
  const { ada, control, signIn, attempt } = await open(t);
  const stolen = await signIn.proveDevice(ada);
  await control.users.setPassword(ada.id, 'coffee at noon');
  const own = await signIn.proveDevice(ada, stolen);
  for (let at = 0; at < 10; at++) await attempt({});
  assert.equal(await attempt({ deviceProof: stolen, password: 'coffee at noon' }), 429);
  assert.equal(await attempt({ deviceProof: own, password: 'coffee at noon' }), 200);
});

testOnPostgresInLongForm(
  'a stolen or outdated device cannot take the places of other known devices',
  async (t) => {
    const { ada, control, signIn, attempt } = await open(t);
    const outdated = await signIn.proveDevice(ada);
    await control.users.setPassword(ada.id, 'coffee at noon');
    const [stolen, own] = [await signIn.proveDevice(ada), await signIn.proveDevice(ada)];
    let isOver = false;
    const flood = Array.from({ length: 60 }, async (_, at) => {
      while (!isOver) {
        await attempt({ deviceProof: at % 2 === 0 ? outdated : stolen });
        await new Promise(setImmediate);
      }
    });
    for (let times = 0; times < 10; times++)
      assert.equal(await attempt({ deviceProof: own, password: 'coffee at noon' }), 200);
    isOver = true;
    await Promise.all(flood);
  },
);

test('a restart gives a lost device no additional guesses', async (t) => {
  const { clock, ada, control, folder, signIn, attempt } = await open(t);
  const deviceProof = await signIn.proveDevice(ada);
  for (let at = 0; at < 6; at++) await attempt({ deviceProof });
  await control.close();
  const { control: again } = await openTestControl(t, { folder, clock });
  const outcome = await again.signIn.attempt({ email, password, address: office, deviceProof });
  assert.deepEqual(outcome, { refused: 'wait', waitSeconds: 1 });
});

testOnPostgresInLongForm(
  'a signed-in user can confirm the password while others guess it, with few guesses',
  async (t) => {
    const { ada, signIn, attempt } = await open(t);
    for (let at = 0; at < 10; at++) await attempt({});
    const confirm = (given: string) => signIn.confirm({ user: ada, sessionToken: 'token', password: given });
    assert.ok('user' in (await confirm(password)));
    for (let at = 0; at < 5; at++) assert.deepEqual(await confirm(wrongOne), { refused: 'wrong' });
    assert.deepEqual(await confirm(password), { refused: 'wait', waitSeconds: 1 });
  },
);
