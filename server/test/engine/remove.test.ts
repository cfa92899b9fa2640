import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFakeClock } from '../../src/control/test-control.ts';
import { createDayBuilder } from '../../src/stats/days/day-builder.ts';
import type { Store } from '../../src/store/open-store.ts';
import { silentLog } from '../support/test-engine.ts';
import { openTestStore } from '../support/test-store.ts';

/** A website that no test changes. The first test adds up its days. */
const other = 1;
let isOtherThere = false;
let lastWebsite = other;

const { store, close } = await openTestStore();
after(close);

const tables = ['ended_visits', 'open_visits', 'closed_rollups', 'open_rollups', 'day_builds'];
const everyDay = { from: '2026-01-01', to: '2026-12-31' };
const today = '2026-04-09';

/**
 * Adds a website with the same visitors on the same days as the other one: visitors 1 to 20, each with two
 * records a day from March 25 to April 9.
 */
async function open() {
  lastWebsite += 1;
  const websiteId = lastWebsite;
  const clock = createFakeClock('2026-04-09T12:00:00Z');
  const days = createDayBuilder({
    store,
    clock,
    completeUpToMs: clock.now,
    log: silentLog,
    recordsPerSlice: 1000,
    sharedMs: 0,
  });
  for (const id of isOtherThere ? [websiteId] : [other, websiteId]) {
    await store.query({
      query: `
        insert into records (
          node, batch, website_id, day, received_at, local_at, kind, visitor_id, has_client_id, path
        )
        select 'test', 1, {id:UInt32}, toDate('2026-03-25') + intDiv(number, 40) as at,
          toDateTime64(at, 3, 'UTC') + 3600, toDateTime(at, 'UTC') + 3600,
          'page_view', 1 + number % 20, true, '/'
        from numbers(16 * 40)`,
      params: { id },
    });
    await days.ready(id, everyDay, today);
  }
  isOtherThere = true;
  const rowsIn = async (table: string, id = websiteId, where = '1') => {
    const query = `select count() as rows from ${table} where website_id = ${id} and ${where}`;
    return Number((await store.query<{ rows: number }>({ query }))[0]!.rows);
  };
  const checksums = async (id: number) =>
    await Promise.all(
      ['records', ...tables].map(async (table) => {
        const query = `
          select count() as rows, sum(cityHash64(*)) as hash from ${table} where website_id = ${id}`;
        const simple = query.replace('*', '* except clients');
        const hasState = table.endsWith('rollups');
        return JSON.stringify(await store.query({ query: hasState ? simple : query }));
      }),
    );
  return { websiteId, clock, days, rowsIn, checksums, website: store.ofWebsite(websiteId) };
}

test("removes a visitor's records up to a moment, and nobody else's", async () => {
  const { website, websiteId, rowsIn, checksums } = await open();
  const before = await checksums(other);
  const removal = { visitorId: '7', receivedBefore: Date.parse('2026-04-05T00:00:00Z') };
  assert.equal(await website.countRecords(removal), 22);
  const left: number[] = [];
  await website.removeRecords(removal, { onLeft: (rows) => left.push(rows) });
  assert.deepEqual([left[0], left.at(-1)], [22, 0]);
  assert.equal(await website.countRecords(removal), 0);
  assert.equal(await rowsIn('records', websiteId, 'visitor_id = 7'), 32 - 22, 'what came later stays');
  assert.equal(await rowsIn('records'), 640 - 22);
  assert.deepEqual(await checksums(other), before);
});

test('a forgotten visitor is no longer in any build, not even in one that was replaced', async () => {
  const { website, websiteId, days, rowsIn, checksums } = await open();
  const before = await checksums(other);
  // Replaced builds are normally kept for a minute.
  await days.rebuild(websiteId, everyDay, today, () => {});
  assert.equal(await rowsIn('ended_visits', websiteId, 'visitor_id = 7'), 2 * 14);
  assert.equal(await rowsIn('open_visits', websiteId, 'visitor_id = 7'), 2 * 2);
  await website.removeRecords({ visitorId: '7', receivedBefore: Date.parse('2026-12-01T00:00:00Z') });
  await days.forgetVisitors(websiteId, ['7'], today);
  assert.equal(await rowsIn('visits', websiteId, 'visitor_id = 7'), 0);
  const clients = await store.query<{ visitors: number }>({
    query: `select toUInt32(uniqExactMerge(clients)) as visitors from rollups
            where website_id = ${websiteId} group by day, build`,
  });
  assert.deepEqual(
    clients.map(({ visitors }) => visitors),
    Array(16).fill(19),
    'nor are the sums of another build there',
  );
  const { builds } = await days.ready(websiteId, everyDay, today);
  assert.equal(builds.length, 16);
  assert.deepEqual(await checksums(other), before);
  // Doing it again changes nothing.
  await days.forgetVisitors(websiteId, ['7'], today);
  assert.deepEqual((await days.ready(websiteId, everyDay, today)).builds, builds);
});

test('a visitor who came again since is kept with what came since', async () => {
  const { website, websiteId, days, rowsIn } = await open();
  await website.removeRecords({ visitorId: '7', receivedBefore: Date.parse('2026-04-03T00:30:00Z') });
  await days.forgetVisitors(websiteId, ['7'], today);
  assert.equal(await rowsIn('visits', websiteId, 'visitor_id = 7'), 7, 'one visit on each day since');
  assert.equal(await rowsIn('visits', websiteId, 'visitor_id = 8'), 16);
});

test('builds that are under way while the records went are waited for, and cleared too', async () => {
  const { website, websiteId, clock, rowsIn } = await open();
  let looks = 0;
  const ofWebsite: Store['ofWebsite'] = (id) => {
    const of = store.ofWebsite(id);
    return {
      ...of,
      query(question) {
        looks += 1;
        return of.query(question);
      },
    };
  };
  const times = { clock, completeUpToMs: clock.now };
  const options = { ...times, log: silentLog, recordsPerSlice: 1000, sharedMs: 0 };
  const days = createDayBuilder({ ...options, store: { ...store, ofWebsite } });
  await website.removeRecords({ visitorId: '7', receivedBefore: Date.parse('2026-12-01T00:00:00Z') });
  await days.forgetVisitors(websiteId, ['7'], today);
  const held = Promise.withResolvers<void>();
  const building = days.inTurn(async () => {
    await held.promise;
    await website.run({
      query: `insert into ended_visits select * replace (5 as build, 7 as visitor_id) from ended_visits
              where website_id = ${websiteId} and visitor_id = 8 and day = '2026-03-25'`,
    });
  });
  looks = 0;
  const forgotten = days.forgetVisitors(websiteId, ['7'], today);
  await new Promise(setImmediate);
  assert.equal(looks, 0, 'what is being built cannot be seen yet');
  held.resolve();
  await building;
  await forgotten;
  assert.equal(await rowsIn('visits', websiteId, 'visitor_id = 7'), 0);
  assert.equal(await rowsIn('visits', websiteId, 'visitor_id = 8'), 16);
});

test('removes days that are too old of several websites, each by its own day', async () => {
  const first = await open();
  const second = await open();
  const before = await first.checksums(other);
  const list = [
    { websiteId: first.websiteId, beforeDay: '2026-04-02' },
    { websiteId: second.websiteId, beforeDay: '2026-04-09' },
  ];
  const counted = await store.countRecordsBefore(list);
  assert.deepEqual(
    counted.toSorted((a, b) => a.websiteId - b.websiteId),
    [
      { websiteId: first.websiteId, records: 320 },
      { websiteId: second.websiteId, records: 600 },
    ],
  );
  await store.removeRecordsBefore(list);
  await store.removeDaysBefore(list);
  for (const { websiteId, beforeDay } of list) {
    for (const table of ['records', ...tables])
      assert.equal(await first.rowsIn(table, websiteId, `day < '${beforeDay}'`), 0, table);
    const { days } = await first.days.ready(websiteId, everyDay, today);
    assert.equal(days[0]?.day, beforeDay);
  }
  assert.equal(await first.rowsIn('records'), 320);
  assert.equal(await second.rowsIn('records'), 40);
  assert.deepEqual(await store.countRecordsBefore(list), []);
  assert.deepEqual(await first.checksums(other), before);
});

test('removes all of a website', async () => {
  const { website, websiteId, rowsIn, days, clock, checksums } = await open();
  const before = await checksums(other);
  await days.rebuild(websiteId, everyDay, today, () => {});
  await website.removeRecords('all');
  assert.equal(await website.removeDays('all'), tables.length);
  for (const table of ['records', ...tables]) assert.equal(await rowsIn(table), 0, table);
  assert.equal(await website.removeDays('all'), 0);
  assert.deepEqual(await checksums(other), before);
  // Builds that were due to be removed are already gone, and that must not be an error.
  clock.pass(61_000);
  await days.rebuild(other, { from: '2026-03-25', to: '2026-03-25' }, today, () => {});
  assert.equal((await days.ready(other, everyDay, today)).builds.length, 16);
});
