import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { createFakeClock, createTestLog, type FakeClock, openTestControl } from '../test-control.ts';
import { filesHolding, runSql, testOnPostgresInLongForm, testOnSqlite } from '../test-database.ts';
import { keepSalts } from './keep-salts.ts';
import type { Salts } from './salts.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Longer than in production, so that an hour takes only a few ticks. */
const tickMs = 30 * minuteMs;

async function keep(t: TestContext, salts: Salts, clock: FakeClock, lateHours = 0) {
  const { log, messages } = createTestLog();
  const keeper = keepSalts({ salts, clock, log, lateHours, tickMs });
  t.after(() => keeper.stop());
  await keeper.ready;
  return { ...keeper, messages };
}

async function passTicks(keeper: { tick(): Promise<void> }, clock: FakeClock, durationMs: number) {
  for (let passedMs = 0; passedMs < durationMs; passedMs += tickMs) {
    clock.pass(tickMs);
    await keeper.tick();
  }
}

test('has a salt for every date that it is anywhere on earth, now and within two days', async (t) => {
  const clock = createFakeClock('2026-03-10T11:59:00Z');
  const { control } = await openTestControl(t);
  const keeper = await keep(t, control.salts, clock);
  const dates = ['2026-03-09', '2026-03-10', '2026-03-11', '2026-03-12', '2026-03-13'];
  const salts = dates.map((date) => keeper.byDate.get(date));
  assert.deepEqual([...(await control.salts.load()).keys()], dates);
  assert.equal(new Set(salts).size, 5);
  for (const salt of salts) assert.match(salt ?? '', /^[0-9a-f]{64}$/);
});

/** Reads a salt as it is stored. */
async function readStored(folder: string, date: string): Promise<Buffer> {
  const [row] = await runSql(folder, 'select salt from salts where date = ?', date);
  return Buffer.from(row?.salt as Uint8Array);
}

test('stores no plain salt, and decrypts none for another date', async (t) => {
  const { control, folder } = await openTestControl(t);
  await control.salts.ensure(['2026-03-10', '2026-03-11']);
  const salts = await control.salts.load();
  const [first, second] = [salts.get('2026-03-10')!, salts.get('2026-03-11')!];
  assert.equal(first.length, 32);
  assert.notDeepEqual(first, second);
  for (const salt of [first, second]) assert.deepEqual(await filesHolding(folder, salt), []);
  assert.notDeepEqual(await filesHolding(folder, await readStored(folder, '2026-03-10')), []);
  await runSql(
    folder,
    `update salts set salt = (select salt from salts where date = '2026-03-10') where date = '2026-03-11'`,
  );
  await assert.rejects(control.salts.load(), /cannot be decrypted/);
});

test('continues with a plain salt that an earlier version stored', async (t) => {
  const { control, folder } = await openTestControl(t);
  const salt = randomBytes(32);
  await runSql(folder, `insert into salts (date, salt) values ('2026-03-10', ?)`, salt);
  await control.salts.ensure(['2026-03-10']);
  assert.deepEqual((await control.salts.load()).get('2026-03-10'), salt);
});

test('destroys a salt two hours after its date has ended everywhere, and not before', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control, folder } = await openTestControl(t);
  const keeper = await keep(t, control.salts, clock);
  const salt = keeper.byDate.get('2026-03-10');
  assert.ok(salt);
  const bytes = await readStored(folder, '2026-03-10');
  await passTicks(keeper, clock, dayMs + 4.5 * hourMs);
  assert.equal(new Date(clock.now()).toISOString(), '2026-03-11T13:30:00.000Z');
  assert.equal(keeper.byDate.get('2026-03-10'), salt);
  assert.notDeepEqual(await filesHolding(folder, bytes), []);

  await passTicks(keeper, clock, hourMs / 2);
  assert.equal(keeper.byDate.get('2026-03-10'), undefined);
  assert.deepEqual(await filesHolding(folder, bytes), []);
  assert.ok(keeper.byDate.get('2026-03-11'));

  // The date is still within a day of now, so it must not get a new salt.
  await passTicks(keeper, clock, 4 * hourMs);
  assert.equal((await control.salts.load()).has('2026-03-10'), false);
});

testOnPostgresInLongForm('keeps today’s salts when the clock jumps ten days ahead and back', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t);
  const keeper = await keep(t, control.salts, clock);
  const salt = keeper.byDate.get('2026-03-10');
  for (let jump = 0; jump < 5; jump++) {
    clock.jump(10 * dayMs);
    await keeper.tick();
    await passTicks(keeper, clock, 1.5 * hourMs);
    clock.jump(-10 * dayMs);
    await keeper.tick();
  }
  assert.ok(salt);
  assert.equal(keeper.byDate.get('2026-03-10'), salt);
});

testOnPostgresInLongForm('does not count the time before a jump as time after the end', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t);
  const keeper = await keep(t, control.salts, clock);
  const salt = keeper.byDate.get('2026-03-10');
  assert.ok(salt);
  for (const days of [10, -10]) {
    clock.jump(days * dayMs);
    await keeper.tick();
  }
  clock.pass(hourMs);
  clock.jump(10 * dayMs);
  await keeper.tick();
  await passTicks(keeper, clock, 1.5 * hourMs);
  assert.equal(keeper.byDate.get('2026-03-10'), salt);
  await passTicks(keeper, clock, tickMs);
  assert.equal(keeper.byDate.get('2026-03-10'), undefined);
});

testOnPostgresInLongForm('destroys no salt that is in use when it starts with a wrong clock', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t);
  const first = await keep(t, control.salts, clock);
  const salt = first.byDate.get('2026-03-10');
  first.stop();
  clock.jump(10 * dayMs);
  for (let start = 0; start < 10; start++) {
    clock.pass(5 * hourMs);
    const keeper = await keep(t, control.salts, clock);
    keeper.stop();
  }
  assert.ok(salt);
  assert.equal((await control.salts.load()).get('2026-03-10')?.toString('hex'), salt);
});

testOnPostgresInLongForm('counts a long pause between two ticks as two ticks at most', async (t) => {
  const clock = createFakeClock('2026-03-11T11:59:00Z');
  const { control } = await openTestControl(t);
  const keeper = await keep(t, control.salts, clock);
  clock.pass(minuteMs);
  await keeper.tick();
  clock.pass(10 * hourMs);
  await keeper.tick();
  assert.ok(keeper.byDate.get('2026-03-10'));
  clock.pass(10 * hourMs);
  await keeper.tick();
  assert.equal(keeper.byDate.get('2026-03-10'), undefined);
});

test('continues counting after restarts', async (t) => {
  const clock = createFakeClock('2026-03-11T11:00:00Z');
  const { control } = await openTestControl(t);
  (await keep(t, control.salts, clock)).stop();
  clock.pass(hourMs);
  for (let start = 0; start < 4; start++) {
    assert.equal((await control.salts.load()).has('2026-03-10'), true, `start ${start}`);
    const keeper = await keep(t, control.salts, clock);
    await passTicks(keeper, clock, hourMs / 2);
    keeper.stop();
  }
  assert.equal((await control.salts.load()).has('2026-03-10'), false);
});

test('counts the same hour once when two nodes watch it', async (t) => {
  const clock = createFakeClock('2026-03-11T12:00:00Z');
  const { control, folder } = await openTestControl(t, { hasOwnThread: true });
  const { control: other } = await openTestControl(t, { folder, hasOwnThread: true });
  await control.salts.ensure(['2026-03-10']);
  const keepers = [await keep(t, control.salts, clock), await keep(t, other.salts, clock)];
  for (let ticks = 0; ticks < 3; ticks++) {
    clock.pass(tickMs);
    for (const keeper of keepers) await keeper.tick();
  }
  assert.ok(keepers[0]?.byDate.get('2026-03-10'));
  clock.pass(tickMs);
  for (const keeper of keepers) await keeper.tick();
  for (const keeper of keepers) assert.equal(keeper.byDate.get('2026-03-10'), undefined);
});

testOnPostgresInLongForm(
  'a node with a correct clock keeps a salt that one with a wrong clock would destroy',
  async (t) => {
    const clock = createFakeClock('2026-03-10T09:00:00Z');
    const wrongClock = createFakeClock('2026-03-20T09:00:00Z');
    const { control, folder } = await openTestControl(t, { hasOwnThread: true });
    const { control: other } = await openTestControl(t, { folder, hasOwnThread: true });
    const keeper = await keep(t, control.salts, clock);
    const wrongKeeper = await keep(t, other.salts, wrongClock);
    const salt = keeper.byDate.get('2026-03-10');
    assert.ok(salt);
    for (let ticks = 0; ticks < 12; ticks++) {
      await passTicks(wrongKeeper, wrongClock, tickMs);
      await passTicks(keeper, clock, tickMs);
    }
    assert.equal(keeper.byDate.get('2026-03-10'), salt);
  },
);

test('two nodes that create the same salts end up with the same ones', async (t) => {
  const { control, folder } = await openTestControl(t, { hasOwnThread: true });
  const { control: other } = await openTestControl(t, { folder, hasOwnThread: true });
  const dates = ['2026-03-10', '2026-03-11'];
  await Promise.all([control.salts.ensure(dates), other.salts.ensure(dates)]);
  assert.deepEqual(await control.salts.load(), await other.salts.load());
});

testOnSqlite('erases a salt from the files as soon as a reader lets go of them', async (t) => {
  const clock = createFakeClock('2026-03-11T12:00:00Z');
  const { control, folder } = await openTestControl(t);
  await control.salts.ensure(['2026-03-10']);
  const salt = await readStored(folder, '2026-03-10');
  const keeper = await keep(t, control.salts, clock);
  const reader = new DatabaseSync(join(folder, 'control.db'));
  t.after(() => reader.close());
  reader.exec('begin; select * from salts');

  await passTicks(keeper, clock, 2 * hourMs);
  assert.equal(keeper.byDate.get('2026-03-10'), undefined);
  assert.notDeepEqual(await filesHolding(folder, salt), []);
  assert.match(keeper.messages.join(), /a reader still holds it/);

  reader.exec('commit');
  await passTicks(keeper, clock, tickMs);
  assert.deepEqual(await filesHolding(folder, salt), []);
});

testOnSqlite('erases at the start what a crash left behind', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control, folder } = await openTestControl(t);
  await control.salts.ensure(['2026-01-01']);
  const salt = await readStored(folder, '2026-01-01');
  const other = new DatabaseSync(join(folder, 'control.db'));
  t.after(() => other.close());
  other.exec(`pragma secure_delete = on; delete from salts where date = '2026-01-01'`);
  assert.deepEqual(await filesHolding(folder, salt), ['control.db-wal']);
  await keep(t, control.salts, clock);
  assert.deepEqual(await filesHolding(folder, salt), []);
});

testOnPostgresInLongForm('creates missing salts when somebody asks for them', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t);
  const keeper = await keep(t, control.salts, clock);
  clock.jump(30 * dayMs);
  assert.equal(keeper.byDate.get('2026-04-09'), undefined);
  keeper.askForMissing();
  await t.waitFor(() => assert.ok(keeper.byDate.get('2026-04-09')), { interval: 5, timeout: 300_000 });
});

test('continues with the salts in memory while the database fails', async (t) => {
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { control } = await openTestControl(t);
  const keeper = await keep(t, control.salts, clock);
  await control.close();
  await assert.rejects(keeper.tick());
  assert.ok(keeper.byDate.get('2026-03-10'));
  keeper.askForMissing();
  await t.waitFor(() => assert.match(keeper.messages.join(), /cannot be stored/), {
    interval: 5,
    timeout: 300_000,
  });
});

testOnPostgresInLongForm('keeps a salt for as long as records of its date may come', async (t) => {
  // The date ends in UTC-12 at noon of the next one.
  const clock = createFakeClock('2026-03-10T11:30:00Z');
  const { control } = await openTestControl(t);
  const keeper = await keep(t, control.salts, clock, 25);
  const salt = keeper.byDate.get('2026-03-09');
  await passTicks(keeper, clock, 25 * hourMs);
  assert.equal(keeper.byDate.get('2026-03-09'), salt);
  await passTicks(keeper, clock, hourMs);
  assert.equal(keeper.byDate.get('2026-03-09'), undefined);
  await passTicks(keeper, clock, 2 * hourMs);
  assert.equal(keeper.byDate.get('2026-03-09'), undefined, 'it does not come back');
});

test('creates salts for past dates that never had one, and for no others', async (t) => {
  const clock = createFakeClock('2026-03-10T12:30:00Z');
  const { control } = await openTestControl(t);
  const first = await keep(t, control.salts, clock, 25);
  const past = (keeper: typeof first) => [...keeper.byDate.keys()].filter((date) => date < '2026-03-10');
  assert.deepEqual(past(first), ['2026-03-08', '2026-03-09'], 'the server is new');
  first.stop();
  await control.salts.destroy('2026-03-08');
  const again = await keep(t, control.salts, clock, 72);
  assert.deepEqual(past(again), ['2026-03-09'], 'those before may have been destroyed');
  again.stop();
  // It is down for longer than salts are made ahead.
  clock.pass(10 * dayMs);
  const back = await keep(t, control.salts, clock, 25);
  assert.ok(back.byDate.has('2026-03-18'));
  assert.ok(back.byDate.has('2026-03-19'));
  assert.ok(!back.byDate.has('2026-03-17'));
});

testOnPostgresInLongForm(
  'does not end the time for late records on the word of a clock that jumped',
  async (t) => {
    const clock = createFakeClock('2026-03-10T11:30:00Z');
    const { control } = await openTestControl(t);
    const keeper = await keep(t, control.salts, clock, 25);
    const salt = keeper.byDate.get('2026-03-09');
    clock.jump(30 * dayMs);
    await keeper.tick();
    clock.jump(-30 * dayMs);
    await keeper.tick();
    assert.equal(keeper.byDate.get('2026-03-09'), salt);
  },
);
