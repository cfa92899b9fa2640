import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createSecretBox } from '../database/secret-box.ts';
import { createFakeClock, type FakeClock, openTestControl } from '../test-control.ts';
import { filesHolding, openTestDatabase, runSql, testOnPostgresInLongForm } from '../test-database.ts';
import { createSignInThrottle, type SignInAttempt } from './sign-in-throttle.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const longestSeconds = 15 * 60;
const ada = { email: 'ada@example.com', address: '203.0.113.7' };

async function open(t: TestContext, isOnThisThread = true) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control, folder } = await openTestControl(t, { clock });
  await control.close();
  const { throttle, close } = await openThrottle(t, folder, clock, isOnThisThread);
  const begin = async (attempt: SignInAttempt) => (await throttle.begin(attempt)).waitSeconds;
  /** Fails this many times, waiting as long as it must, and returns the waits. */
  const fail = async (times: number, attemptAt: (at: number) => SignInAttempt = () => ada) => {
    const waits: number[] = [];
    for (let at = 0; at < times; at++) {
      const wait = await begin(attemptAt(at));
      waits.push(wait);
      clock.pass(wait * 1000);
      if (wait > 0) assert.equal(await begin(attemptAt(at)), 0, 'expected no wait after the wait');
    }
    return waits;
  };
  return { clock, close, folder, throttle, begin, fail };
}

/** Opens it like another process, or like the next start. */
async function openThrottle(t: TestContext, folder: string, clock: FakeClock, isOnThisThread: boolean) {
  const database = await openTestDatabase(t, folder, { hasOwnThread: !isOnThisThread });
  const box = createSecretBox(Buffer.alloc(32, 7));
  return { throttle: createSignInThrottle({ database, box, clock }), close: () => database.close() };
}

const elsewhere = (at: number): SignInAttempt => ({ email: ada.email, address: `198.51.100.${at}` });
const somebody = (at: number): SignInAttempt => ({ email: `user${at}@example.com`, address: ada.address });

async function countRows(folder: string): Promise<number> {
  const [row] = await runSql(folder, 'select count(*) as rows from sign_in_failures');
  return Number(row?.rows);
}

test('lets five guesses at an account fail, then doubles the wait each time, to 15 minutes', async (t) => {
  const { fail } = await open(t);
  // Each attempt comes from another address, because the account is what counts.
  const waits = await fail(19, elsewhere);
  assert.deepEqual(waits.slice(0, 5), [0, 0, 0, 0, 0]);
  assert.deepEqual(waits.slice(5), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
});

testOnPostgresInLongForm(
  'lets twenty guesses from an address fail, for any accounts, then makes it wait',
  async (t) => {
    const { begin, fail } = await open(t);
    const waits = await fail(33, somebody);
    assert.ok(waits.slice(0, 20).every((wait) => wait === 0));
    assert.deepEqual(waits.slice(20), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
    assert.equal(await begin(somebody(99)), longestSeconds);
    assert.equal(await begin({ email: 'user99@example.com', address: '198.51.100.1' }), 0);
  },
);

testOnPostgresInLongForm(
  'treats all addresses of an IPv6 network as one, but not those of another network',
  async (t) => {
    const { begin, fail } = await open(t);
    await fail(20, (at) => ({ email: `user${at}@example.com`, address: `2001:db8:1:2:${at}::1` }));
    assert.equal(await begin({ email: 'ada@example.com', address: '2001:db8:1:2::ffff' }), 1);
    assert.equal(await begin({ email: 'ada@example.com', address: '2001:db8:1:3::ffff' }), 0);
  },
);

testOnPostgresInLongForm('treats an account as one, however its email address is typed', async (t) => {
  const { begin } = await open(t);
  for (const email of [
    'ada@example.com',
    ' ADA@example.com',
    'Ada@Example.COM ',
    'ada@example.com',
    'ada@example.com',
  ]) {
    assert.equal(await begin({ ...ada, email }), 0);
  }
  assert.equal(await begin({ ...ada, email: 'ADA@EXAMPLE.COM' }), 1);
});

testOnPostgresInLongForm(
  'lets strangers without an address fail twenty times, then once every six seconds',
  async (t) => {
    const { begin, fail } = await open(t);
    const nowhere = (at: number) => ({ email: `user${at}@example.com`, address: undefined });
    const waits = await fail(60, nowhere);
    assert.ok(waits.slice(0, 20).every((wait) => wait === 0));
    assert.ok(waits.slice(20).every((wait) => wait === 6));
    assert.equal(await begin({ email: 'ada@example.com', address: '203.0.113.7' }), 0);
  },
);

testOnPostgresInLongForm(
  'lets strangers from anywhere fail fifty times together, then once every two seconds',
  async (t) => {
    const { begin, fail } = await open(t);
    const anywhere = (at: number) => ({ email: `user${at}@example.com`, address: `198.51.${at}.1` });
    const waits = await fail(100, anywhere);
    assert.ok(waits.slice(0, 50).every((wait) => wait === 0));
    assert.ok(waits.slice(50).every((wait) => wait === 2));
    assert.equal(await begin({ device: 'Ada and her phone' }), 0);
  },
);

testOnPostgresInLongForm('a shared allowance is full again after a while without failures', async (t) => {
  const { clock, fail } = await open(t);
  const nowhere = (at: number) => ({ email: `user${at}@example.com`, address: undefined });
  await fail(25, nowhere);
  clock.pass(20 * 6000);
  assert.deepEqual(
    (await fail(21, (at) => nowhere(100 + at))).map((wait) => wait > 0),
    [...Array<boolean>(20).fill(false), true],
  );
});

testOnPostgresInLongForm('knows from memory who has to wait, without asking the database', async (t) => {
  const { clock, throttle, begin, fail, close } = await open(t);
  await fail(10);
  const wait = await begin(ada);
  assert.ok(wait > 0);
  await close();
  assert.deepEqual(throttle.knownWait(ada), { waitSeconds: wait });
  for (let at = 0; at < 1000; at++) assert.equal(await begin(ada), wait);
  assert.deepEqual(throttle.knownWait({ address: ada.address }), { waitSeconds: 0 });
  clock.pass(wait * 1000);
  assert.deepEqual(throttle.knownWait(ada), { waitSeconds: 0 });
});

test('of 100 simultaneous guesses, lets only the free ones through, across two processes', async (t) => {
  const { clock, folder, throttle } = await open(t, false);
  const { throttle: other } = await openThrottle(t, folder, clock, false);
  const guesses = Array.from({ length: 100 }, (_, at) =>
    (at % 2 === 0 ? throttle : other).begin(elsewhere(at)),
  );
  const waits = (await Promise.all(guesses)).map(({ waitSeconds }) => waitSeconds);
  assert.equal(waits.filter((wait) => wait === 0).length, 5);
  assert.ok(waits.every((wait) => wait <= 1));
});

testOnPostgresInLongForm('asking while waiting does not make the wait longer', async (t) => {
  const { clock, begin, fail } = await open(t);
  await fail(10);
  assert.equal(await begin(ada), 32);
  clock.pass(10_500);
  for (let at = 0; at < 50; at++) assert.equal(await begin(ada), 22);
  clock.pass(21_500);
  assert.equal(await begin(ada), 0);
});

test('starts over for an account after a success', async (t) => {
  const { throttle, fail } = await open(t);
  await fail(8);
  await throttle.succeeded(ada);
  assert.deepEqual(await fail(6), [0, 0, 0, 0, 0, 1]);
});

testOnPostgresInLongForm('does not count successes, however many there are', async (t) => {
  const { throttle, begin } = await open(t);
  for (let at = 0; at < 60; at++) {
    assert.equal(await begin(somebody(at % 3)), 0);
    await throttle.succeeded(somebody(at % 3));
  }
});

testOnPostgresInLongForm('gives an address no guesses back for signing in to another account', async (t) => {
  const { throttle, begin, fail } = await open(t);
  for (let round = 0; round < 4; round++) {
    assert.deepEqual(await fail(5, (at) => somebody(100 * round + at)), [0, 0, 0, 0, 0]);
    if (round === 3) break;
    await begin(somebody(7));
    await throttle.succeeded(somebody(7));
  }
  assert.equal(await begin(somebody(999)), 1);
});

testOnPostgresInLongForm('strangers cannot lock out a known device, or the other way round', async (t) => {
  const { begin, fail, throttle } = await open(t);
  await fail(30, elsewhere);
  assert.equal(await begin(elsewhere(0)), longestSeconds);
  const phone = { device: 'Ada and her phone' };
  for (let times = 0; times < 10; times++) {
    assert.equal(await begin(phone), 0);
    await throttle.succeeded(phone);
  }
  assert.equal(await begin(elsewhere(0)), longestSeconds, 'expected that the guesses are not forgiven');
  assert.equal(await begin({ device: 'Ada and her laptop' }), 0);
});

testOnPostgresInLongForm(
  'a known device has five guesses of its own, then waits like everyone else',
  async (t) => {
    const { fail } = await open(t);
    const waits = await fail(17, () => ({ device: 'Ada and her phone' }));
    assert.deepEqual(waits.slice(0, 5), [0, 0, 0, 0, 0]);
    assert.deepEqual(waits.slice(5), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
  },
);

testOnPostgresInLongForm('forgets failures after a day for a known device too', async (t) => {
  const { clock, fail } = await open(t);
  const phone = () => ({ device: 'Ada and her phone' });
  await fail(8, phone);
  clock.pass(dayMs);
  assert.deepEqual(await fail(6, phone), [0, 0, 0, 0, 0, 1]);
});

testOnPostgresInLongForm('lets the owner in after the wait, wherever she is', async (t) => {
  const { clock, begin, fail } = await open(t);
  await fail(40, elsewhere);
  const wait = await begin(ada);
  assert.ok(wait > 0 && wait <= longestSeconds);
  clock.pass(wait * 1000);
  assert.equal(await begin(ada), 0);
});

test('forgets failures after a day without any', async (t) => {
  const { clock, begin, fail } = await open(t);
  await fail(12);
  clock.pass(dayMs - 1);
  assert.equal(await begin(ada), 0);
  assert.equal(await begin(ada), 256);
  clock.pass(dayMs);
  assert.deepEqual(await fail(6), [0, 0, 0, 0, 0, 1]);
});

test('remembers failures across a restart', async (t) => {
  const { clock, close, folder, begin, fail } = await open(t);
  const nowhere = (at: number) => ({ email: `user${at}@example.com`, address: undefined });
  await fail(10);
  await fail(10, () => ({ device: 'Ada and her phone' }));
  await fail(20, nowhere);
  const attempts = [ada, { device: 'Ada and her phone' }, nowhere(99)];
  const waits = [];
  for (const attempt of attempts) waits.push(await begin(attempt));
  assert.ok(
    waits.every((wait) => wait > 0),
    waits.join(),
  );
  await close();
  const { throttle: again } = await openThrottle(t, folder, clock, true);
  for (const [at, attempt] of attempts.entries())
    assert.deepEqual(await again.begin(attempt), { waitSeconds: waits[at] });
});

testOnPostgresInLongForm('a clock that is set back makes nobody wait for more than 15 minutes', async (t) => {
  const { clock, begin, fail } = await open(t);
  await fail(30, elsewhere);
  await fail(30, somebody);
  clock.jump(-400 * dayMs);
  for (const attempt of [elsewhere(1), somebody(99)]) assert.equal(await begin(attempt), longestSeconds);
  clock.pass(longestSeconds * 1000);
  assert.equal(await begin(elsewhere(1)), 0);
});

testOnPostgresInLongForm('a clock that is set forward and back locks nobody out', async (t) => {
  const { clock, begin, fail } = await open(t);
  clock.jump(400 * dayMs);
  await fail(12);
  clock.jump(-400 * dayMs);
  const wait = await begin(ada);
  assert.ok(wait > 0 && wait <= longestSeconds);
  clock.pass(wait * 1000);
  assert.equal(await begin(ada), 0);
});

test('removes expired failures', async (t) => {
  const { clock, folder, throttle, begin, fail } = await open(t);
  await fail(10, somebody);
  await begin(ada);
  await throttle.succeeded(ada);
  assert.equal(await countRows(folder), 12, 'ten accounts, the address, and everyone');
  clock.pass(dayMs);
  await begin(elsewhere(1));
  assert.equal(await countRows(folder), 3, 'the new guess');
});

test('keeps at most 100,000 failures, the newest', async (t) => {
  const { clock, folder, begin, fail } = await open(t);
  await fail(5, () => elsewhere(1));
  await runSql(
    folder,
    `insert into sign_in_failures
     with recursive n(i) as (select 1 union all select i + 1 from n where i < 120000)
     select 'account:' || i, 9, cast(? as bigint) - i from n`,
    clock.now() - 1,
  );
  clock.pass(10 * minuteMs);
  assert.equal(await begin(elsewhere(1)), 0);
  assert.ok((await countRows(folder)) <= 100_003);
  assert.equal(await begin(elsewhere(2)), 2, 'expected the newest to be kept');
});

test('writes neither the email address nor the IP address to any file', async (t) => {
  const { close, folder, throttle, begin } = await open(t);
  await begin({ email: 'hunter2hunter2', address: ada.address });
  await begin({ device: 'phone-of-ada' });
  await begin(ada);
  await throttle.succeeded(ada);
  await close();
  assert.deepEqual(await filesHolding(folder, 'device:'), ['control.db']);
  for (const text of ['hunter2', ada.email, ada.address, 'phone-of-ada'])
    assert.deepEqual(await filesHolding(folder, text), []);
});
