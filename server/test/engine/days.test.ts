import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { createFakeClock } from '../../src/control/test-control.ts';
import { buildVisits } from '../../src/stats/days/build-visits.ts';
import { createDayBuilder } from '../../src/stats/days/day-builder.ts';
import { type AskedBy, createAskInTurn } from '../../src/stats/plan/ask-in-turn.ts';
import { countTogether, createSources } from '../../src/stats/plan/plan-screen.ts';
import type { Question } from '../../src/stats/question/read-question.ts';
import type { WebsiteStore } from '../../src/store/website-store.ts';
import { askOracle } from '../oracle/oracle.ts';
import { insertRecords, recordsOf, type TestRecord } from '../oracle/records.ts';
import { silentLog, untilReady } from '../support/test-engine.ts';
import { openTestStore } from '../support/test-store.ts';
import { waitFor } from '../support/wait-for.ts';

const sources = createSources();
let lastWebsite = 0;

const { engine, store, close } = await openTestStore();
after(close);

const calendar = {
  startMs: Date.parse('2026-04-10T00:00:00Z'),
  days: 3,
  timezones: ['UTC', 'UTC'] as [string, string],
};
const records = fc.sample(recordsOf(calendar), { numRuns: 2, seed: 3 }).flat();
const question: Question = {
  period: { from: '2026-04-01', to: '2026-04-30' },
  metrics: ['visitors'],
  dimensions: [{ dimension: 'page' }],
  filters: [],
  order: [],
  limit: 100,
  offset: 0,
};
const longAfter = '2026-06-01';

/** Opens another website, with a clock that the test controls. */
function open(start = '2026-06-01T12:00:00Z') {
  lastWebsite += 1;
  const websiteId = lastWebsite;
  const clock = createFakeClock(start);
  const days = createDayBuilder({ store, clock, log: silentLog, recordsPerSlice: 1000, sharedMs: 0 });
  const website = createAskInTurn(store)({ websiteId, by: 'user' });
  const count = async (today: string) => {
    const ready = await days.ready(websiteId, question.period, today);
    const { rows } = await countTogether(website, [question], ready, sources)[0]!;
    return {
      asOfMs: ready.asOfMs,
      builds: ready.builds,
      rows: rows.map((row) => JSON.stringify(row)).toSorted(),
    };
  };
  const add = (some: readonly TestRecord[], batch: number) => insertRecords(store, websiteId, some, batch);
  const rowsIn = async (table: string) => {
    const query = `select count() as rows from ${table} where website_id = ${websiteId}`;
    return Number((await store.query<{ rows: number }>({ query }))[0]!.rows);
  };
  return { websiteId, clock, days, count, add, rowsIn };
}

const expected = (some: readonly TestRecord[]) =>
  askOracle(some, question)
    .map(({ time, values, counts }) => JSON.stringify({ time, values, counts }))
    .toSorted();

test('a late batch is counted in days that were built before', async () => {
  const { count, add } = open();
  await add(records.slice(0, 40), 1);
  assert.deepEqual((await count(longAfter)).rows, expected(records.slice(0, 40)));
  await add(records.slice(40), 2);
  assert.deepEqual((await count(longAfter)).rows, expected(records));
});

test('days that have not changed are not built again', async () => {
  const { count, add } = open();
  await add(records, 1);
  const first = await count(longAfter);
  assert.deepEqual((await count(longAfter)).builds, first.builds);
});

test('rows that are gone from the records are gone from the days', async () => {
  const { count, add, websiteId } = open();
  await add(records, 1);
  await count(longAfter);
  await store.ofWebsite(websiteId).run({
    query: `alter table records delete where website_id = ${websiteId} and day = '2026-04-11'`,
    settings: { mutations_sync: '2' },
  });
  const left = records.filter(({ day }) => day !== '2026-04-11');
  assert.deepEqual((await count(longAfter)).rows, expected(left));
});

test('today is answered as of its last build, and then anew', async () => {
  const { count, add, clock, days } = open('2026-04-12T12:00:00Z');
  await add(records.slice(0, 40), 1);
  const first = await count('2026-04-10');
  clock.pass(2000);
  await add(records.slice(40), 2);
  const second = await count('2026-04-10');
  assert.deepEqual(second.rows, first.rows);
  assert.ok(second.asOfMs <= clock.now() - 2000, 'it says since when it is not up to date');
  await waitFor('the new build', async () => {
    clock.pass(2000);
    return (await count('2026-04-10')).rows.join() === expected(records).join();
  });
  await days.stop({ withinMs: 10_000 });
});

test('days that have ended move to their own tables, and what they replace is removed', async () => {
  const { count, add, clock, days, rowsIn } = open('2026-04-12T12:00:00Z');
  await add(records, 1);
  await count('2026-04-10');
  assert.ok((await rowsIn('open_visits')) > 0);
  assert.equal(await rowsIn('closed_visits'), 0);
  await days.sweep('2026-05-01');
  assert.ok((await rowsIn('closed_visits')) > 0);
  assert.deepEqual((await count(longAfter)).rows, expected(records));
  clock.pass(3 * 3_600_000);
  await days.sweep('2026-05-01');
  assert.equal(await rowsIn('open_visits'), 0);
  assert.equal(await rowsIn('open_rollups'), 0);
  assert.deepEqual((await count(longAfter)).rows, expected(records));
});

test('what a process that died left behind is not counted, and is removed', async () => {
  const { websiteId, count, add, days, clock, rowsIn } = open();
  await add(records, 1);
  const slice = {
    from: '2026-04-10',
    to: '2026-04-13',
    firstId: '0',
    lastId: String(2n ** 64n - 1n),
  };
  const build = String(BigInt(clock.now() - 7_200_000) * 1000n);
  await buildVisits(store.ofWebsite(websiteId), 'closed', { ...slice, build }, {});
  const leftBehind = await rowsIn('closed_visits');
  assert.ok(leftBehind > 0);
  assert.deepEqual((await count(longAfter)).rows, expected(records));
  await days.sweep('2026-05-01');
  await waitFor('the removal', async () => (await rowsIn('closed_visits')) === leftBehind);
  assert.deepEqual((await count(longAfter)).rows, expected(records));
});

test('a clock that went back does not keep a day from being built again', async () => {
  const { count, add, clock } = open('2026-06-01T12:00:00Z');
  await add(records.slice(0, 40), 1);
  await count(longAfter);
  clock.jump(-31 * 86_400_000);
  await add(records.slice(40), 2);
  assert.deepEqual((await count(longAfter)).rows, expected(records));
});

test('a look at the days is shared for a while by questions of the same turns, unless it fails', async () => {
  const { websiteId, add, clock } = open();
  await add(records, 1);
  const days = createDayBuilder({ store, clock, log: silentLog, recordsPerSlice: 1000, sharedMs: 500 });
  const website = store.ofWebsite(websiteId);
  let looks = 0;
  const counting: WebsiteStore = {
    ...website,
    query(asked) {
      looks += 1;
      return website.query(asked);
    },
  };
  const ask = (by: AskedBy, of = counting) =>
    days.readyAll([question.period], longAfter, { store: of, by })[0]!;
  await ask('user');
  looks = 0;
  clock.pass(500);
  const [one, other] = await Promise.all([ask('user'), ask('user')]);
  assert.equal(one, other);
  clock.pass(499);
  assert.equal(await ask('user'), one);
  assert.equal(looks, 2, 'the records and the builds, once');
  await ask('link');
  assert.equal(looks, 4);
  clock.pass(1);
  const failing = { ...website, query: () => Promise.reject(new Error('broken on purpose')) };
  await assert.rejects(ask('user', failing), /on purpose/);
  assert.deepEqual((await ask('user')).builds, one.builds);
  assert.equal(looks, 6);
});

test('rebuilding builds every day and tells how far it is', async () => {
  const { websiteId, count, add, days } = open();
  await add(records, 1);
  const first = await count(longAfter);
  const told: [number, number][] = [];
  const done = await days.rebuild(websiteId, question.period, longAfter, (some, all) =>
    told.push([some, all]),
  );
  assert.equal(done.records, records.length);
  assert.deepEqual(told.at(-1), [done.days, done.days]);
  const second = await count(longAfter);
  assert.equal(new Set([...first.builds, ...second.builds]).size, first.builds.length * 2);
  assert.deepEqual(second.rows, expected(records));
});

test('websites that are asked for at the same time are built one after the other', async () => {
  const { websiteId, days, add } = open();
  const other = open();
  await add(records, 1);
  await other.add(records, 1);
  await Promise.all([websiteId, other.websiteId].map((id) => days.ready(id, question.period, longAfter)));
  assert.deepEqual((await other.count(longAfter)).rows, expected(records));
});

test('an engine that dies in the middle of a build costs another try and nothing else', async () => {
  const { count, add } = open();
  for (let round = 0; round < 2; round += 1) {
    await add(records.slice(round * 10, round * 10 + 10), round + 1);
    const asked = count(longAfter).catch((error: unknown) => error);
    await new Promise((resolve) => setTimeout(resolve, 20 + round * 25));
    const { pid, restarts } = engine.supervisor.state();
    process.kill(pid!, 'SIGKILL');
    await asked;
    await waitFor('the restart', () => engine.supervisor.state().restarts > restarts);
    await untilReady(engine.supervisor);
    assert.deepEqual((await count(longAfter)).rows, expected(records.slice(0, round * 10 + 10)));
  }
});
