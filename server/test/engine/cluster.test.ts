import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { OperatorError } from '../../src/operator-error.ts';
import { recordColumns } from '../../src/records/record-columns.ts';
import { toClusterStatements } from '../../src/store/cluster/cluster-statements.ts';
import { createStoreCluster } from '../../src/store/cluster/store-cluster.ts';
import { readMigrations } from '../../src/store/migrate-store.ts';
import { openStore } from '../../src/store/open-store.ts';
import { clusterName } from '../support/test-cluster.ts';
import { silentLog } from '../support/test-engine.ts';
import { openTestStore, type TestStore } from '../support/test-store.ts';

const cluster = createStoreCluster({ name: clusterName, quorum: 'auto' });
const columns = ['node', 'batch', ...recordColumns];
let opened: TestStore;
before(async () => {
  opened = await openTestStore({ place: 'cluster' });
});
after(() => opened.close());

/** Inserts one batch with a row for each of these websites. */
async function insert(batch: number, websites: readonly number[]): Promise<void> {
  const values: Record<string, unknown> = {
    node: 'n1',
    batch,
    day: '2026-03-01',
    received_at: '2026-03-01 10:00:00.123',
    local_at: '2026-03-01 10:00:00',
    kind: 'page_view',
    has_client_id: false,
    is_bot: false,
    screen_width: 0,
    screen_height: 0,
    parameter_names: [],
    parameter_values: [],
    received_order: 0,
    waited_ms: 0,
  };
  const rows = websites.map((website_id) => ({
    ...values,
    website_id,
    visitor_id: website_id,
    device_id: 1,
  }));
  const lines = rows.map((row) => JSON.stringify(columns.map((name) => (row as typeof values)[name] ?? '')));
  const body = Buffer.from(`${lines.join('\n')}\n`);
  const token = `n1-${batch}`;
  await opened.store.insertBatch({ columns, body, rows: rows.length, queryId: token, token });
}

const countAll = { node: 'n1', fromBatch: 0, toBatch: 100, fromDay: '2026-01-01' };

test('ClickHouse can read every statement that creates and changes the tables of a cluster', async () => {
  const statements = (await readMigrations()).flatMap((migration) => migration.statements);
  const translated = statements.flatMap((statement) => toClusterStatements(statement, cluster));
  assert.ok(translated.length > statements.length);
  for (const { query } of translated) {
    assert.match(query, / on cluster 'of_tests'/);
    const [first] = await opened.store.query<{ explain: string }>({ query: `explain ast ${query}` });
    assert.match(first!.explain, /^(?:Create|Alter|Drop)/);
  }
});

test('changes the format of a column only where its rows are', () => {
  const queriesOf = (statement: string) =>
    toClusterStatements(statement, cluster).map(({ query }) => query.replace(/ on cluster '\w+'/, ''));
  assert.deepEqual(queriesOf('alter table open_visits modify column path codec(LZ4)'), [
    'alter table trackside.open_visits_local modify column path codec(LZ4)',
  ]);
  assert.equal(queriesOf('alter table open_visits modify column path String').length, 2);
});

test('creates replicated tables, and distributed ones in front of them', async () => {
  const [records] = (await readMigrations()).flatMap((migration) => migration.statements);
  const [local, distributed] = toClusterStatements(records!, cluster).map(({ query }) => query);
  const path = "'/clickhouse/tables/{shard}/trackside/records_local', '{replica}'";
  assert.match(local!, /^create table if not exists trackside\.records_local on cluster 'of_tests'/);
  assert.ok(local!.includes(`ReplicatedMergeTree(${path})`));
  assert.match(local!, /replicated_deduplication_window_seconds = 2592000$/);
  assert.ok(distributed!.includes("Distributed('of_tests', 'trackside', 'records_local', website_id)"));
  const builds =
    'create table if not exists day_builds (website_id UInt32) engine = ReplacingMergeTree(build)\n';
  const [replacing] = toClusterStatements(`${builds}order by website_id`, cluster);
  assert.match(replacing!.query, /ReplicatedReplacingMergeTree\('[^']+', '\{replica\}', build\)/);
});

test('refuses a statement that it cannot translate', () => {
  for (const statement of ['optimize table records', 'rename table a to b', 'create table records (x Int8)'])
    assert.throws(() => toClusterStatements(statement, cluster), /translated for a cluster/);
});

test('spreads a batch over the shards, and counts and deletes it as a whole', async () => {
  await insert(1, [1, 2, 3, 4, 5]);
  await insert(2, [1, 2]);
  const shards = await opened.store.query<{ shard: number; websites: number[] }>({
    query: `
      select shardNum() as shard, arraySort(groupUniqArray(website_id)) as websites
      from records group by shard order by shard`,
  });
  assert.deepEqual(shards, [
    { shard: 1, websites: [2, 4] },
    { shard: 2, websites: [1, 3, 5] },
  ]);
  assert.deepEqual(await opened.store.countBatches(countAll), [
    { batch: 1, month: 202603, rows: 5 },
    { batch: 2, month: 202603, rows: 2 },
  ]);
  await opened.store.deleteBatches({ node: 'n1', batches: [1], month: 202603 });
  assert.deepEqual(await opened.store.countBatches(countAll), [{ batch: 2, month: 202603, rows: 2 }]);
});

test('asks one shard about a website, and shows it no other one', async () => {
  await insert(3, [11, 12, 13, 14]);
  const website = opened.store.ofWebsite(11);
  const plan = await website.query<{ explain: string }>({
    query: 'explain select max(path) from records where website_id = {website_id:UInt32}',
  });
  assert.equal(plan.filter(({ explain }) => explain.includes('records_local')).length, 1);
  const [seen] = await website.query({ query: 'select groupUniqArray(website_id) as websites from records' });
  assert.deepEqual(seen, { websites: [11] });
  const [inSubquery] = await website.query({
    query: `
      select count() as rows from records
      where website_id = {website_id:UInt32}
        and visitor_id + 2 in (select website_id + visitor_id - visitor_id from records)`,
  });
  assert.deepEqual(inSubquery, { rows: 0 }, '13 is on the same shard');
});

test('removes the records of a website from every shard', async () => {
  await insert(4, [21, 22]);
  await opened.store.ofWebsite(21).removeRecords('all');
  assert.equal(await opened.store.ofWebsite(21).countRecords('all'), 0);
  assert.equal(await opened.store.ofWebsite(22).countRecords('all'), 1);
});

test('refuses a store that was created on other shards, or without a cluster', async () => {
  const { socketPath } = opened.engine;
  const plain = openStore({ socketPath, use: 'asking', log: silentLog });
  const isRefused = (message: RegExp) => (error: unknown) =>
    error instanceof OperatorError && message.test(error.message);
  await assert.rejects(
    plain.migrate(),
    isRefused(/was created on a cluster: set TRACKSIDE_CLICKHOUSE_CLUSTER/),
  );
  const noted = `select toUUID('00000000-0000-0000-0000-000000000000') as uuid`;
  await plain.query({ query: `create or replace view store_identity as ${noted}, '1:1' as shards` });
  await assert.rejects(opened.store.migrate(), isRefused(/weights 1:1, but .+ has 1:1,2:1 now/));
  await plain.query({ query: 'rename table records to distributed_records' });
  await plain.query({ query: 'create table records (x UInt8) engine = MergeTree order by x' });
  await assert.rejects(opened.store.migrate(), isRefused(/was created without a cluster/));
  await plain.close();
});
