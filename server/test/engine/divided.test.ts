import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { metricNames } from '@trackside/contract/stats/metrics.ts';
import fc from 'fast-check';
import { OperatorError } from '../../src/operator-error.ts';
import { findStaleDays } from '../../src/stats/days/find-stale-days.ts';
import type { Question } from '../../src/stats/question/read-question.ts';
import { askLiveScene } from '../../src/stats/reports/ask-live-scene.ts';
import { askRetention } from '../../src/stats/reports/ask-retention.ts';
import { askVisits, type CountedRow } from '../../src/stats/sql/ask-visits.ts';
import { insertByVisitor } from '../../src/store/cluster/cluster-statements.ts';
import { createStoreCluster } from '../../src/store/cluster/store-cluster.ts';
import { listDays } from '../../src/store/move/list-contents.ts';
import { openStore, type Store } from '../../src/store/open-store.ts';
import { mixedDevices } from '../../src/store/stitched-visits.ts';
import type { WebsiteStore } from '../../src/store/website-store.ts';
import { askOracle } from '../oracle/oracle.ts';
import { retentionOracle } from '../oracle/oracle-reports.ts';
import { insertRecords, recordsOf, type TestRecord } from '../oracle/records.ts';
import { clusterName, sortByVisitor } from '../support/test-cluster.ts';
import { openDayBuilder, untilReady } from '../support/test-days.ts';
import { silentLog } from '../support/test-engine.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

const websiteId = 7;
const otherId = 8;
const today = '2026-05-20';
const period = { from: '2026-05-01', to: '2026-05-31' };
const startMs = Date.parse('2026-05-10T00:00:00Z');
const whole: Question = {
  period,
  metrics: metricNames,
  dimensions: [],
  filters: [],
  order: [{ by: 'visits', descending: true }],
  limit: 1000,
  offset: 0,
};
const questions: Question[] = [
  whole,
  { ...whole, dimensions: [{ dimension: 'page' }] },
  { ...whole, dimensions: [{ dimension: 'visitorType' }], filters: [{ dimension: 'country', isNot: 'DE' }] },
];

let opened: TestStore;
let store: Store;
let website: WebsiteStore;
let days: ReturnType<typeof openDayBuilder>;
/** All records that the website has. */
let records: TestRecord[] = [];
let batch = 0;

before(async () => {
  opened = await openTestStore({ place: 'cluster' });
  ({ store } = opened);
  website = store.ofWebsite(websiteId);
  days = openDayBuilder(store);
});
after(async () => {
  await days.stop({ withinMs: 300_000 });
  await opened.close();
});

const drawn = fc
  .sample(recordsOf({ startMs, days: 3, timezones: ['UTC', 'UTC'] }), { numRuns: 4, seed: 11 })
  .map((list) => list.toSorted((one, other) => one.receivedAtMs - other.receivedAtMs));

async function add(more: readonly TestRecord[]): Promise<void> {
  batch += 1;
  await insertRecords(store, websiteId, more, batch);
  records = [...records, ...more];
}

const shown = (rows: readonly CountedRow[]) =>
  rows.map(({ time, values, counts }) => JSON.stringify({ time: time ?? null, values, counts })).toSorted();

/** Builds the days, and compares what they answer with the oracle. */
async function assertCounted(): Promise<void> {
  const { builds } = await untilReady(days, websiteId, period, today);
  for (const question of questions) {
    const { rows } = await askVisits(website, question, builds);
    assert.deepEqual(shown(rows), shown(askOracle(records, question)), JSON.stringify(question));
  }
  const report = { period, filters: [] };
  assert.deepEqual(await askRetention(website, report, builds), retentionOracle(records, report));
}

/** Parts that are merged no longer tell which shard wrote them. Removals need merges. */
async function setMerges(to: 'start' | 'stop'): Promise<void> {
  assert.equal((await opened.engine.request('/', { body: `system ${to} merges` })).status, 200);
}

/** Which visitors came to a table together: the shards write parts of their own. */
async function visitorsOfParts(table: string, where: string): Promise<string[]> {
  const rows = await store.query<{ shards: string }>({
    query: `
      select arrayStringConcat(arraySort(groupUniqArray(toString(visitor_id % 2)))) as shards
      from ${table}_local
      where website_id = ${websiteId} and ${where}
      group by _part
      order by shards`,
  });
  return [...new Set(rows.map(({ shards }) => shards))];
}

const rowsOfShards = () =>
  store.query<{ shard: number; rows: number }>({
    query: `select shardNum() as shard, count() as rows from records where website_id = ${websiteId} group by shard order by shard`,
  });

test('a website begins on its own shard', async () => {
  await add(drawn[0]!);
  await insertRecords(store, otherId, drawn[0]!);
  assert.deepEqual(await rowsOfShards(), [{ shard: 2, rows: records.length }]);
  assert.deepEqual(await visitorsOfParts('records', 'batch = 1'), ['01']);
  await assertCounted();
});

test('it is divided while it has records', async () => {
  assert.equal(await store.isDivided(websiteId), false);
  await store.divideWebsite(websiteId);
  assert.equal(await store.isDivided(websiteId), true);
  await store.divideWebsite(websiteId);
});

test('rows of a node that does not know it yet are on its own shard, and count too', async () => {
  await add(drawn[1]!);
  assert.deepEqual(await rowsOfShards(), [{ shard: 2, rows: records.length }]);
  await assertCounted();
});

test('new records go to the shard of their visitor, and all are counted together', async () => {
  await sortByVisitor(store.query, websiteId);
  await setMerges('stop');
  await add(drawn[2]!);
  assert.deepEqual(await visitorsOfParts('records', `batch = ${batch}`), ['0', '1']);
  const shards = await rowsOfShards();
  assert.deepEqual(
    shards.map(({ shard }) => shard),
    [1, 2],
  );
  const batches = { node: 'test', fromBatch: batch, toBatch: batch, fromDay: period.from };
  const [counted] = await store.countBatches(batches);
  assert.equal(counted?.rows, drawn[2]!.length);
  await assertCounted();
  const visits = await visitorsOfParts('ended_visits', `build in (select max(build) from day_builds)`);
  assert.deepEqual(visits, ['0', '1']);
  await setMerges('start');
});

test('a subquery that saw only its own shard would give other numbers', async () => {
  // Their visitors are on both shards, so each shard takes them for devices of one visitor.
  const mixed = mixedDevices('website_id = {website_id:UInt32}');
  const query = `
    select count() as records from records
    where website_id = {website_id:UInt32} and device_id in (${mixed})`;
  const [all] = await website.query<{ records: number }>({ query });
  const [local] = await website.query<{ records: number }>({
    query,
    settings: { distributed_product_mode: 'local' },
  });
  assert.notDeepEqual(all, local);
});

test('each of its days is one for those who look at all websites', async () => {
  const listed = await listDays(store.forMove(), 202605);
  const own = listed.filter((one) => one.websiteId === websiteId);
  const expected = Map.groupBy(records, ({ day }) => day);
  assert.deepEqual(
    own.map(({ day, records: count }) => [day, count]),
    [...expected].map(([day, ofDay]) => [day, ofDay.length]).toSorted(),
  );
  const stale = await findStaleDays(store, today);
  assert.deepEqual(
    stale.map((one) => one.websiteId),
    [otherId],
  );
});

test('the live view shows visitors of all shards', async () => {
  const latest = records.reduce((last, { receivedAtMs }) => Math.max(last, receivedAtMs), 0);
  const recent = records.filter(
    ({ receivedAtMs, isBot }) => !isBot && receivedAtMs > latest - 30 * 60_000 && receivedAtMs <= latest,
  );
  const { minutes } = await askLiveScene(website, latest);
  const views = minutes.reduce((sum, { pageViews }) => sum + pageViews, 0);
  assert.equal(views, recent.filter(({ kind }) => kind === 'page_view').length);
});

test('a person is erased with what two devices did before they signed in, on both shards', async () => {
  const [like] = records;
  const person = 5_001n;
  const visitOn = (deviceId: bigint): TestRecord[] =>
    [undefined, person].map((visitorId, at) => ({
      ...like!,
      deviceId,
      visitorId: visitorId ?? deviceId,
      hasClientId: visitorId !== undefined,
      isBot: false,
      bot: '',
      receivedAtMs: like!.receivedAtMs + at * 1000,
    }));
  const before = records;
  await add([...visitOn(1_000n), ...visitOn(1_001n)]);
  await assertCounted();
  const removal = { visitorId: String(person), receivedBefore: startMs + 10 * 86_400_000 };
  const visits = await website.findErasedVisits(removal);
  assert.deepEqual(visits.map(({ deviceId }) => deviceId).toSorted(), ['1000', '1001']);
  assert.equal(await website.countRecords({ ...removal, visits }), 4);
  await website.removeRecords({ ...removal, visits });
  assert.equal(await website.countRecords('all'), before.length);
  records = before;
  await assertCounted();
});

test('old days are counted and removed on all shards, and those of other websites stay', async () => {
  const beforeDay = '2026-05-12';
  const old = records.filter(({ day }) => day < beforeDay);
  const list = [{ websiteId, beforeDay }];
  assert.deepEqual(await store.countRecordsBefore(list), [{ websiteId, records: old.length }]);
  await store.removeRecordsBefore(list);
  records = records.filter(({ day }) => day >= beforeDay);
  await store.removeDaysBefore(list);
  assert.equal(await website.countRecords('all'), records.length);
  assert.equal(await store.ofWebsite(otherId).countRecords('all'), drawn[0]!.length);
  await assertCounted();
});

test('a website that is not divided is still asked about on one shard', async () => {
  const partsOf = async (id: number) => {
    const query = 'explain select max(path) from records where website_id = {website_id:UInt32}';
    const plan = await store.ofWebsite(id).query<{ explain: string }>({ query });
    return plan.filter(({ explain }) => explain.includes('records_local')).length;
  };
  assert.equal(await partsOf(otherId), 1);
  assert.equal(await partsOf(websiteId), 2);
});

test('ClickHouse can read an INSERT that sorts its rows by visitor', async () => {
  const cluster = createStoreCluster({ name: clusterName, quorum: 'auto' });
  const insert = insertByVisitor('insert into open_visits (day) select today()', cluster);
  assert.match(
    insert,
    /^insert into function cluster\('of_tests', 'trackside', 'open_visits_local', visitor_id\)/,
  );
  const [first] = await store.query<{ explain: string }>({ query: `explain ast ${insert}` });
  assert.match(first!.explain, /^Insert/);
  const rollups = 'insert into open_rollups (day) select today()';
  assert.equal(insertByVisitor(rollups, cluster), rollups);
});

test('is refused where there is one shard only', async () => {
  const plain = openStore({ socketPath: opened.engine.socketPath, use: 'asking', log: silentLog });
  await assert.rejects(plain.divideWebsite(websiteId), OperatorError);
  await plain.close();
});
