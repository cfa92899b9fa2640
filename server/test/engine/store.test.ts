import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ClickHouseError } from '@clickhouse/client';
import fc from 'fast-check';
import { earlierRecordColumns, recordColumns } from '../../src/records/record-columns.ts';
import { recordKey } from '../../src/records/record-key.ts';
import { anyCharacter } from '../support/any-character.ts';
import { testLong, times } from '../support/long-form.ts';
import { untilReady } from '../support/test-engine.ts';
import { openTestStore, shareTestStore, tableOfRows, testAtSocket } from '../support/test-store.ts';

const { engine, store } = await shareTestStore();

const columns = ['node', 'batch', ...recordColumns];

type Row = Record<string, unknown>;

function recordRow(changes: Row): unknown[] {
  const row: Row = {
    node: 'n1',
    batch: 1,
    day: '2026-03-01',
    website_id: 1,
    received_at: '2026-03-01 10:00:00.123',
    local_at: '2026-03-01 11:00:00',
    kind: 'page_view',
    visitor_id: '18446744073709551615',
    has_client_id: false,
    is_bot: true,
    screen_width: 1920,
    screen_height: 1080,
    parameter_names: [],
    parameter_values: [],
    device_id: '18446744073709551614',
    received_order: 3,
    waited_ms: 93_600_000,
    ...changes,
  };
  return columns.map((column) => row[column] ?? '');
}

async function insert(rows: Row[]): Promise<void> {
  const body = Buffer.from(rows.map((row) => `${JSON.stringify(recordRow(row))}\n`).join(''));
  await store.insertBatch({ columns, body, rows: rows.length, queryId: `test-${Math.random()}` });
}

const everything = { fromBatch: 0, toBatch: Number.MAX_SAFE_INTEGER, fromDay: '1970-01-01' };

test('keeps every column as it was sent', async () => {
  const parameter_names = ['plan', 'plan', ''];
  const parameter_values = ['pro', `it's "x" \\ \n`, '😀'];
  await insert([
    { node: 'columns', path: '/a', event_name: 'buy', kind: 'event', parameter_names, parameter_values },
  ]);
  const [row] = await store.query<Row>({
    query: `select * except (visitor_id, device_id), toString(visitor_id) as visitor_id,
              toString(device_id) as device_id
            from records where node = 'columns'`,
  });
  assert.deepEqual(
    columns.map((column) => row?.[column]),
    recordRow({
      node: 'columns',
      path: '/a',
      event_name: 'buy',
      kind: 'event',
      parameter_names,
      parameter_values,
    }),
  );
});

const oddText = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.constantFrom(
    `'`,
    `\\'`,
    '\\',
    '\0',
    '\u0000',
    '\n',
    '\t',
    '{x:String}',
    '😀',
    `'; drop table records --`,
    '\\N',
  ),
);

test('returns odd text unchanged from rows and from parameters', async () => {
  let batch = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(oddText, { minLength: 1, maxLength: 12 }), async (texts) => {
      batch += 1;
      const node = `odd ${texts[0]}`;
      await insert([{ node, batch, path: texts[0], city: texts.at(-1), parameter_values: texts }]);
      const rows = await store.query<Row>({
        query: `select path, city, parameter_values, {echo:String} as echo, {list:Array(String)} as list
                from records where node = {node:String} and batch = {batch:UInt64}`,
        params: { node, batch, echo: texts[0], list: texts },
      });
      assert.deepEqual(rows, [
        { path: texts[0], city: texts.at(-1), parameter_values: texts, echo: texts[0], list: texts },
      ]);
    }),
    { numRuns: times(10, 30) },
  );
});

test('counts the rows of each batch by month and deletes one of them', async () => {
  const node = 'counted';
  await insert([
    { node, batch: 7, day: '2026-03-31' },
    { node, batch: 7, day: '2026-03-31' },
    { node, batch: 7, day: '2026-04-01' },
  ]);
  await insert([{ node, batch: 8, day: '2026-04-01' }]);
  await insert([{ node: 'other', batch: 7, day: '2026-04-01' }]);
  const counts = [
    { batch: 7, month: 202603, rows: 2 },
    { batch: 7, month: 202604, rows: 1 },
    { batch: 8, month: 202604, rows: 1 },
  ];
  assert.deepEqual(await store.countBatches({ node, ...everything }), counts);
  assert.deepEqual(await store.countBatches({ node, ...everything, toBatch: 7 }), counts.slice(0, 2));
  assert.deepEqual(await store.countBatches({ node, ...everything, fromDay: '2026-04-01' }), counts.slice(1));

  await store.deleteBatches({ node, batches: [7], month: 202604 });
  assert.deepEqual(await store.countBatches({ node, ...everything }), [counts[0], counts[2]]);
  assert.equal((await store.countBatches({ node: 'other', ...everything })).length, 1);
});

test('finds records by the key that the journal gives them, in every batch', async () => {
  const node = 'keys';
  const day = '2027-05-01';
  const at = { day, received_at: '2027-05-01 10:00:59.999', local_at: '2027-05-01 12:00:59' };
  const visitor_id = '18446744073709551615';
  await insert([
    { node, batch: 1, ...at, visitor_id },
    { node, batch: 1, ...at, visitor_id },
    { node, batch: 2, ...at, visitor_id },
    { node, batch: 2, ...at, visitor_id: '0', website_id: 4_294_967_295 },
    { node, batch: 3, ...at, received_at: '2027-05-01 10:01:00.000' },
  ]);
  const receivedAt = at.received_at;
  const key = recordKey({ websiteId: 1, visitorId: visitor_id, receivedAt });
  const other = recordKey({ websiteId: 4_294_967_295, visitorId: '0', receivedAt });
  const minutes = [Math.floor(Date.parse('2027-05-01T10:00:00Z') / 60_000)];
  const found = await store.listKeys({ fromDay: day, toDay: day, minutes });
  assert.deepEqual(
    found.toSorted((a, b) => a.batch - b.batch || b.rows - a.rows || (a.key === key ? -1 : 1)),
    [
      { key, node, batch: 1, rows: 2 },
      { key, node, batch: 2, rows: 1 },
      { key: other, node, batch: 2, rows: 1 },
    ],
  );
  assert.deepEqual(await store.listKeys({ fromDay: '2027-05-02', toDay: '2027-05-03', minutes }), []);
  assert.equal(await store.lastBatch(node), 3);
  assert.equal(await store.lastBatch('nobody'), 0);
});

testAtSocket('writes a batch as one part for each month', async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => ({
    node: 'parts',
    day: index % 2 === 0 ? '2031-01-01' : '2031-02-01',
  }));
  await insert(rows);
  const parts = await store.query<Row>({
    query: `select partition, sum(rows) as rows from system.parts
            where table = '${tableOfRows('records')}' and partition like '2031%' and level = 0
            group by partition, name order by partition`,
  });
  assert.deepEqual(parts, [
    { partition: '203101', rows: 5_000 },
    { partition: '203102', rows: 5_000 },
  ]);
});

test('a part that no longer exists is not damaged', async () => {
  const [part] = await store.listParts();
  assert.equal(await store.checkPart(part!), undefined);
  assert.equal(await store.checkPart({ table: 'records', name: '209901_7_7_0' }), undefined);
  await assert.rejects(store.checkPart({ table: 'records', name: "1'; select 1 --" }), /expected the name/);
});

test('stores nothing of a batch with one wrong row', async () => {
  const rows = [recordRow({ node: 'wrong' }), recordRow({ node: 'wrong', kind: 'other' })];
  const body = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await assert.rejects(store.insertBatch({ columns, body, rows: 2, queryId: 'wrong' }), ClickHouseError);
  assert.deepEqual(await store.countBatches({ node: 'wrong', ...everything }), []);
});

test('turns an error of the store into one with its code', async () => {
  await assert.rejects(store.query({ query: 'select * from nowhere' }), {
    code: '60',
    type: 'UNKNOWN_TABLE',
  });
  await assert.rejects(store.query({ query: 'select {x:String}' }), { code: '456' });
});

test('keeps its identity and its schema across a restart', async () => {
  const uuid = await store.uuid();
  assert.match(uuid, /^[0-9a-f-]{36}$/);
  await engine.supervisor.restart('test');
  assert.equal(await store.ping(), false);
  await untilReady(engine.supervisor);
  assert.equal(await store.ping(), true);
  assert.deepEqual(await store.migrate(), { applied: [] });
  assert.equal(await store.uuid(), uuid);
});

const devicesOf = (node: string) =>
  store.query<Row>({
    query: `
      select toString(device_id) as device, received_order as nth from records where node = {node:String}
      order by visitor_id`,
    params: { node },
  });

test('loads a segment of an earlier version, and each visitor in it is a device', async () => {
  const earlier = ['node', 'batch', ...earlierRecordColumns[0]!];
  const values = recordRow({ node: 'earlier', visitor_id: '42' }).slice(0, earlier.length);
  const body = Buffer.from(`${JSON.stringify(values)}\n`);
  await store.insertBatch({ columns: earlier, body, rows: 1, queryId: 'earlier' });
  assert.deepEqual(await devicesOf('earlier'), [{ device: '42', nth: 0 }]);
});

test('records of an earlier version happened when they were received', async () => {
  const earlier = ['node', 'batch', ...earlierRecordColumns[1]!];
  const values = recordRow({ node: 'in-time' }).slice(0, earlier.length);
  const body = Buffer.from(`${JSON.stringify(values)}\n`);
  await store.insertBatch({ columns: earlier, body, rows: 1, queryId: 'in-time' });
  const query = "select waited_ms, received_order from records where node = 'in-time'";
  assert.deepEqual(await store.query({ query }), [{ waited_ms: 0, received_order: 3 }]);
});

testAtSocket('a store of an earlier version gets devices, and each visitor in it is one', async () => {
  for (const table of new Set([tableOfRows('records'), 'records']))
    await store.query({ query: `alter table ${table} drop column device_id, drop column received_order` });
  await store.query({
    query: `alter table ${tableOfRows('schema_migrations')} delete where number = 3 settings mutations_sync = 1`,
  });
  const earlier = ['node', 'batch', ...earlierRecordColumns[0]!];
  const rows = ['42', '43'].map((visitor_id) =>
    recordRow({ node: 'old', visitor_id }).slice(0, earlier.length),
  );
  const body = Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await store.insertBatch({ columns: earlier, body, rows: 2, queryId: 'old' });
  assert.deepEqual((await store.migrate()).applied, [3]);
  assert.deepEqual(await devicesOf('old'), [
    { device: '42', nth: 0 },
    { device: '43', nth: 0 },
  ]);
  await insert([{ node: 'new', visitor_id: '42' }]);
  assert.deepEqual(await devicesOf('new'), [{ device: '18446744073709551614', nth: 3 }]);
});

testAtSocket('repeats a migration that a crash interrupted', async () => {
  const uuid = await store.uuid();
  await store.query({ query: `truncate table ${tableOfRows('schema_migrations')}` });
  assert.deepEqual(await store.migrate(), { applied: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] });
  assert.equal(await store.uuid(), uuid);
});

test('refuses a store that a newer version has migrated', async () => {
  await store.query({ query: `insert into schema_migrations (number, name) select 9999, 'later'` });
  await assert.rejects(store.migrate(), /the store has schema 9999, .* supports up to 13;/);
  await store.query({
    query: `alter table ${tableOfRows('schema_migrations')} delete where number = 9999 settings mutations_sync = 2`,
  });
});

testLong('gives a new store another identity', async () => {
  const fresh = await openTestStore({ sessions: 1, isNew: true });
  assert.notEqual(await fresh.store.uuid(), await store.uuid());
  await fresh.close();
});

testLong('keeps using the same connections after more than their idle time', async () => {
  // The client drops idle sockets after 2.5 s. A request that uses one at that moment must not be lost.
  const end = performance.now() + 3_500;
  while (performance.now() < end) {
    assert.equal((await store.query({ query: 'select 1' })).length, 1);
    // Without a rest, these questions would keep the processor busy all the while.
    await delay(100);
  }
});
