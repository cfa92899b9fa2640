import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { createFakeClock } from '../../src/control/test-control.ts';
import type { Store } from '../../src/store/open-store.ts';
import { testLong } from '../support/long-form.ts';
import { openDayBuilder, untilReady } from '../support/test-days.ts';
import { newWebsiteId, shareTestStore } from '../support/test-store.ts';

const { store } = await shareTestStore();

const tables = ['ended_visits', 'open_visits', 'closed_rollups', 'open_rollups', 'day_builds'];
const everyDay = { from: '2026-01-01', to: '2026-12-31' };
const today = '2026-04-09';

/**
 * Adds a website with visitors 1 to 20, each with two records a day from March 25 to April 9, and adds up its
 * days.
 */
async function open() {
  const websiteId = newWebsiteId();
  const clock = createFakeClock('2026-04-09T12:00:00Z');
  const days = openDayBuilder(store, { clock });
  await store.query({
    query: `
      insert into records (
        node, batch, website_id, day, received_at, local_at, kind, visitor_id, has_client_id, path
      )
      select 'test', 1, {websiteId:UInt32}, toDate('2026-03-25') + intDiv(number, 40) as at,
        toDateTime64(at, 3, 'UTC') + 3600, toDateTime(at, 'UTC') + 3600,
        'page_view', 1 + number % 20, true, '/'
      from numbers(16 * 40)`,
    params: { websiteId },
  });
  await untilReady(days, websiteId, everyDay, today);
  const rowsIn = async (table: string, where = '1') => {
    const query = `select count() as rows from ${table} where website_id = ${websiteId} and ${where}`;
    return Number((await store.query<{ rows: number }>({ query }))[0]!.rows);
  };
  return { websiteId, clock, days, rowsIn, website: store.ofWebsite(websiteId) };
}

type Opened = Awaited<ReturnType<typeof open>>;
/** A website that no test changes, and what it has in all tables. */
let other: Opened;
let rowsOfOther: unknown;
/** Most tests remove visitors from this website, each a different one. */
let common: Opened;

before(async () => {
  other = await open();
  rowsOfOther = await readOther();
  common = await open();
});

async function readOther(): Promise<unknown> {
  const queries = ['records', ...tables].map((table) => {
    const columns = table.endsWith('rollups') ? '* except clients' : '*';
    const ofOther = `from ${table} where website_id = ${other.websiteId}`;
    return `select '${table}' as table, count() as rows, sum(cityHash64(${columns})) as hash ${ofOther}`;
  });
  return await store.query({ query: `select * from (${queries.join(' union all ')}) order by table` });
}

testLong('a forgotten visitor is no longer in any build, not even in a replaced one', async () => {
  const { website, websiteId, days, rowsIn } = common;
  // Replaced builds are normally kept for a minute.
  await days.rebuild(websiteId, everyDay, today, () => {});
  assert.equal(await rowsIn('ended_visits', 'visitor_id = 7'), 2 * 14);
  assert.equal(await rowsIn('open_visits', 'visitor_id = 7'), 2 * 2);
  await website.removeRecords({ visitorId: '7', receivedBefore: Date.parse('2026-12-01T00:00:00Z') });
  await days.forgetVisitors(websiteId, ['7'], today);
  assert.equal(await rowsIn('visits', 'visitor_id = 7'), 0);
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
  assert.deepEqual(await readOther(), rowsOfOther);
  // Doing it again changes nothing.
  await days.forgetVisitors(websiteId, ['7'], today);
  assert.deepEqual((await days.ready(websiteId, everyDay, today)).builds, builds);
});

testLong("removes a visitor's records up to a moment, and the visits without later ones", async () => {
  const { website, websiteId, days, rowsIn } = common;
  const all = await rowsIn('records');
  const removal = { visitorId: '9', receivedBefore: Date.parse('2026-04-05T00:00:00Z') };
  assert.equal(await website.countRecords(removal), 22);
  const left: number[] = [];
  await website.removeRecords(removal, { onLeft: (rows) => left.push(rows) });
  assert.deepEqual([left[0], left.at(-1)], [22, 0]);
  assert.equal(await website.countRecords(removal), 0);
  assert.equal(await rowsIn('records', 'visitor_id = 9'), 32 - 22, 'what came later stays');
  assert.equal(await rowsIn('records'), all - 22);
  await days.forgetVisitors(websiteId, ['9'], today);
  assert.equal(await rowsIn('visits', 'visitor_id = 9'), 5, 'one visit on each day since');
  assert.equal(await rowsIn('visits', 'visitor_id = 12'), 16, 'nobody else has lost a visit');
  assert.deepEqual(await readOther(), rowsOfOther);
});

test('waits for builds in progress while the records were removed, and clears them too', async () => {
  const { website, websiteId, clock, rowsIn } = common;
  // Nobody has seen this visitor before.
  const visitorId = '21';
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
  const days = openDayBuilder({ ...store, ofWebsite }, { clock });
  const held = Promise.withResolvers<void>();
  const building = days.inTurn(async () => {
    await held.promise;
    await website.run({
      query: `insert into ended_visits select * replace (5 as build, ${visitorId} as visitor_id) from ended_visits
              where website_id = ${websiteId} and visitor_id = 12 and day = '2026-03-25'`,
    });
  });
  looks = 0;
  const forgotten = days.forgetVisitors(websiteId, [visitorId], today);
  await new Promise(setImmediate);
  assert.equal(looks, 0, 'what is being built cannot be seen yet');
  held.resolve();
  await building;
  await forgotten;
  assert.equal(await rowsIn('visits', `visitor_id = ${visitorId}`), 0);
  assert.equal(await rowsIn('visits', 'visitor_id = 12'), 16);
});

test('removes days that are too old from several websites, each by its own day', async () => {
  const second = await open();
  const list = [
    { ...common, beforeDay: '2026-04-02' },
    { ...second, beforeDay: '2026-04-09' },
  ];
  const recordsOfCommon = await common.rowsIn('records');
  const keptOfCommon = await common.rowsIn('records', "day >= '2026-04-02'");
  assert.ok(keptOfCommon > 0 && keptOfCommon < recordsOfCommon);
  const counted = await store.countRecordsBefore(list);
  assert.deepEqual(
    counted.toSorted((a, b) => a.websiteId - b.websiteId),
    [
      { websiteId: common.websiteId, records: recordsOfCommon - keptOfCommon },
      { websiteId: second.websiteId, records: 600 },
    ],
  );
  await store.removeRecordsBefore(list);
  await store.removeDaysBefore(list);
  for (const { websiteId, rowsIn, days, beforeDay } of list) {
    for (const table of ['records', ...tables])
      assert.equal(await rowsIn(table, `day < '${beforeDay}'`), 0, table);
    const ready = await days.ready(websiteId, everyDay, today);
    assert.equal(ready.days[0]?.day, beforeDay);
  }
  assert.equal(await common.rowsIn('records'), keptOfCommon);
  assert.equal(await second.rowsIn('records'), 40);
  assert.deepEqual(await store.countRecordsBefore(list), []);
  assert.deepEqual(await readOther(), rowsOfOther);
});

testLong('removes everything of a website', async () => {
  const { website, websiteId, rowsIn, days, clock } = common;
  await days.rebuild(websiteId, everyDay, today, () => {});
  await website.removeRecords('all');
  assert.equal(await website.removeDays('all'), tables.length);
  for (const table of ['records', ...tables]) assert.equal(await rowsIn(table), 0, table);
  assert.equal(await website.removeDays('all'), 0);
  assert.deepEqual(await readOther(), rowsOfOther);
  // Builds that were due to be removed are already gone, and that must not be an error.
  clock.pass(61_000);
  const { websiteId: otherId } = other;
  await days.rebuild(otherId, { from: '2026-03-25', to: '2026-03-25' }, today, () => {});
  assert.equal((await days.ready(otherId, everyDay, today)).builds.length, 16);
});
