import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import type { SignInAttempt } from './sign-in-throttle.ts';
import { createFakeClock, filesHolding, openTestControl } from './test-control.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const longestSeconds = 15 * 60;
const ada = { email: 'ada@example.com', address: '203.0.113.7' };

async function open(t: TestContext) {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control, folder } = await openTestControl(t, { clock });
  const throttle = control.signInThrottle;
  const begin = async (attempt: SignInAttempt) => (await throttle.begin(attempt)).waitSeconds;
  /** Fails this often, waiting as long as it must, and returns the waits. */
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
  return { clock, control, folder, throttle, begin, fail };
}

const elsewhere = (at: number): SignInAttempt => ({ email: ada.email, address: `198.51.100.${at}` });
const somebody = (at: number): SignInAttempt => ({ email: `user${at}@example.com`, address: ada.address });

function countRows(folder: string): number {
  const sqlite = new DatabaseSync(join(folder, 'control.db'));
  const row = sqlite.prepare('select count(*) as rows from sign_in_failures').get();
  sqlite.close();
  return Number(row?.rows);
}

test('lets five guesses at an account fail, then asks for twice the time after each, up to 15 minutes', async (t) => {
  const { fail } = await open(t);
  // From another address each time: it is the account that counts.
  const waits = await fail(19, elsewhere);
  assert.deepEqual(waits.slice(0, 5), [0, 0, 0, 0, 0]);
  assert.deepEqual(waits.slice(5), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900]);
});

test('lets twenty guesses from an address fail, whatever the accounts, then asks it to wait', async (t) => {
  const { begin, fail } = await open(t);
  const waits = await fail(33, somebody);
  assert.ok(waits.slice(0, 20).every((wait) => wait === 0));
  assert.deepEqual(waits.slice(20), [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  assert.equal(await begin(somebody(99)), longestSeconds);
  assert.equal(await begin({ email: 'user99@example.com', address: '198.51.100.1' }), 0);
});

test('takes all addresses of an IPv6 network as one, and another network as another', async (t) => {
  const { begin, fail } = await open(t);
  await fail(20, (at) => ({ email: `user${at}@example.com`, address: `2001:db8:1:2:${at}::1` }));
  assert.equal(await begin({ email: 'ada@example.com', address: '2001:db8:1:2::ffff' }), 1);
  assert.equal(await begin({ email: 'ada@example.com', address: '2001:db8:1:3::ffff' }), 0);
});

test('takes an account as one, however its e-mail address is typed', async (t) => {
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

test('counts for the account alone where the address is not known', async (t) => {
  const { begin, fail } = await open(t);
  const nowhere = (at: number) => ({ email: `user${at}@example.com`, address: undefined });
  assert.ok((await fail(40, nowhere)).every((wait) => wait === 0));
  const waits = await fail(7, () => nowhere(99));
  assert.deepEqual(waits, [0, 0, 0, 0, 0, 1, 2]);
  assert.equal(await begin(nowhere(100)), 0);
});

test('lets no more than the free ones through of 100 guesses at once, over two processes', async (t) => {
  const { folder, throttle } = await open(t);
  const { control: other } = await openTestControl(t, { folder });
  const guesses = Array.from({ length: 100 }, (_, at) =>
    (at % 2 === 0 ? throttle : other.signInThrottle).begin(elsewhere(at)),
  );
  const waits = (await Promise.all(guesses)).map(({ waitSeconds }) => waitSeconds);
  assert.equal(waits.filter((wait) => wait === 0).length, 5);
  assert.ok(waits.every((wait) => wait <= 1));
});

test('does not make anybody wait longer for asking while waiting', async (t) => {
  const { clock, begin, fail } = await open(t);
  await fail(10);
  assert.equal(await begin(ada), 32);
  clock.pass(10_500);
  for (let at = 0; at < 50; at++) assert.equal(await begin(ada), 22);
  clock.pass(21_500);
  assert.equal(await begin(ada), 0);
});

test('begins anew for an account after a success', async (t) => {
  const { throttle, fail } = await open(t);
  await fail(8);
  await throttle.succeeded(ada);
  assert.deepEqual(await fail(6), [0, 0, 0, 0, 0, 1]);
});

test('does not count a success, however many there are', async (t) => {
  const { throttle, begin } = await open(t);
  for (let at = 0; at < 60; at++) {
    assert.equal(await begin(somebody(at % 3)), 0);
    await throttle.succeeded(somebody(at % 3));
  }
});

test('gives an address no guesses back for signing in to an account of its own', async (t) => {
  const { throttle, begin, fail } = await open(t);
  for (let round = 0; round < 4; round++) {
    assert.deepEqual(await fail(5, (at) => somebody(100 * round + at)), [0, 0, 0, 0, 0]);
    if (round === 3) break;
    await begin(somebody(7));
    await throttle.succeeded(somebody(7));
  }
  assert.equal(await begin(somebody(999)), 1);
});

test('cannot be used to keep a user out of a place where she has signed in before', async (t) => {
  const { clock, throttle, begin, fail } = await open(t);
  assert.equal(await begin(ada), 0);
  await throttle.succeeded(ada);
  clock.pass(29 * dayMs);
  await fail(30, elsewhere);
  assert.equal(await begin(elsewhere(0)), longestSeconds);
  assert.equal(await begin(ada), 0);
  // From there, guesses count as well.
  assert.deepEqual(await fail(6), [0, 0, 0, 0, 1, 2]);
});

test('forgets failures after a day also where a user has signed in', async (t) => {
  const { clock, throttle, begin, fail } = await open(t);
  await begin(ada);
  await throttle.succeeded(ada);
  await fail(8);
  clock.pass(dayMs);
  assert.deepEqual(await fail(6), [0, 0, 0, 0, 0, 1]);
});

test('forgets after 30 days where a user has signed in', async (t) => {
  const { clock, throttle, begin, fail } = await open(t);
  await begin(ada);
  await throttle.succeeded(ada);
  clock.pass(30 * dayMs);
  await fail(5, elsewhere);
  assert.equal(await begin(ada), 1);
});

test('lets the owner in after the wait, wherever she is', async (t) => {
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

test('remembers over a restart', async (t) => {
  const { clock, control, folder, begin, fail } = await open(t);
  await fail(10);
  assert.equal(await begin(ada), 32);
  await control.close();
  const { control: again } = await openTestControl(t, { folder, clock });
  assert.deepEqual(await again.signInThrottle.begin(ada), { waitSeconds: 32 });
});

test('a clock that is set back keeps nobody waiting for more than 15 minutes', async (t) => {
  const { clock, throttle, begin, fail } = await open(t);
  await begin({ ...ada, email: 'bob@example.com' });
  await throttle.succeeded({ ...ada, email: 'bob@example.com' });
  await fail(30, elsewhere);
  await fail(30, somebody);
  clock.jump(-400 * dayMs);
  for (const attempt of [elsewhere(1), somebody(99)]) assert.equal(await begin(attempt), longestSeconds);
  clock.pass(longestSeconds * 1000);
  assert.equal(await begin(elsewhere(1)), 0);
  assert.equal(await begin({ ...ada, email: 'bob@example.com' }), 0);
});

test('a clock that is set forward and back again locks nobody out', async (t) => {
  const { clock, begin, fail } = await open(t);
  clock.jump(400 * dayMs);
  await fail(12);
  clock.jump(-400 * dayMs);
  const wait = await begin(ada);
  assert.ok(wait > 0 && wait <= longestSeconds);
  clock.pass(wait * 1000);
  assert.equal(await begin(ada), 0);
});

test('removes what has faded', async (t) => {
  const { clock, folder, throttle, begin, fail } = await open(t);
  await fail(10, somebody);
  await begin(ada);
  await throttle.succeeded(ada);
  assert.equal(countRows(folder), 12, 'ten accounts, the address, and where Ada signed in');
  clock.pass(dayMs);
  await begin(elsewhere(1));
  assert.equal(countRows(folder), 3, 'where Ada signed in, and the new guess');
  clock.pass(30 * dayMs);
  await begin(elsewhere(1));
  assert.equal(countRows(folder), 2);
});

test('keeps at most 100,000 failures, the newest, and where users have signed in', async (t) => {
  const { clock, folder, throttle, begin, fail } = await open(t);
  await begin(ada);
  await throttle.succeeded(ada);
  clock.pass(minuteMs);
  await fail(5, () => elsewhere(1));
  const sqlite = new DatabaseSync(join(folder, 'control.db'));
  sqlite
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 120000)
       insert into sign_in_failures select 'account:' || i, 9, ? - i from n`,
    )
    .run(clock.now() - 1);
  sqlite.close();
  clock.pass(10 * minuteMs);
  assert.equal(await begin(elsewhere(1)), 0);
  assert.ok(countRows(folder) <= 100_003);
  assert.equal(await begin(elsewhere(2)), 2, 'expected the newest to be kept');
  await fail(10, () => elsewhere(2));
  assert.equal(await begin(ada), 0);
});

test('writes neither e-mail address nor IP address to any file', async (t) => {
  const { control, folder, throttle, begin } = await open(t);
  await begin({ email: 'hunter2hunter2', address: ada.address });
  await begin(ada);
  await throttle.succeeded(ada);
  await control.close();
  assert.deepEqual(await filesHolding(folder, 'known:'), ['control.db']);
  for (const text of ['hunter2', ada.email, ada.address])
    assert.deepEqual(await filesHolding(folder, text), []);
});
