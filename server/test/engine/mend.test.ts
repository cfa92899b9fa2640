import assert from 'node:assert/strict';
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { createFakeClock, createTestLog } from '../../src/control/test-control.ts';
import { openDamageLog } from '../../src/damage/damage-log.ts';
import { append, openTestJournal, useFolders } from '../../src/journal/test-journal.ts';
import { openLedger } from '../../src/loader/open-ledger.ts';
import { startLoader } from '../../src/loader/start-loader.ts';
import { verifyBatches } from '../../src/loader/verify-batches.ts';
import { startChecking } from '../../src/node/start-checking.ts';
import { recordColumns } from '../../src/records/record-columns.ts';
import type { Store } from '../../src/store/open-store.ts';
import type { StorePart } from '../../src/store/parts.ts';
import { isLongForm, testLong, times } from '../support/long-form.ts';
import { until } from '../support/test-engine.ts';
import { openTestStore } from '../support/test-store.ts';

const makeFolder = useFolders();
/** In the short form, granules are small, so that a part has several of them with few records. */
const rowsOfGranule = times(512, 8192);
/** The engine ends a part with a larger granule rather than a small one. */
const mostRowsOfGranule = 1.5 * rowsOfGranule;

function payloadOf(number: number): string {
  const at = new Date(Date.UTC(2026, 2, 10, 9) + number).toISOString().slice(0, 23).replace('T', ' ');
  const row: Record<string, unknown> = {
    day: '2026-03-10',
    website_id: 1,
    received_at: at,
    local_at: at.slice(0, 19),
    kind: 'page_view',
    visitor_id: String((BigInt(number) * 11_400_714_819_323_198_485n) % 2n ** 64n),
    has_client_id: false,
    path: `/page/${Math.sin(number)}`,
    is_bot: false,
    screen_width: number,
    screen_height: 1,
    parameter_names: [],
    parameter_values: [],
  };
  return JSON.stringify(recordColumns.map((column) => row[column] ?? ''));
}

const { engine, store, close } = await openTestStore({ use: 'loading' });
after(close);
await chooseGranules();

/** Puts another table in place of the records, because a table cannot change its granules. */
async function chooseGranules(): Promise<void> {
  const [{ statement } = { statement: '' }] = await store.query<{ statement: string }>({
    query: `select create_table_query as statement from system.tables
            where database = currentDatabase() and name = 'records'`,
  });
  const chosen = statement
    .replace(/\.records\b/, '.chosen_records')
    .replace(/index_granularity = 8192/, `index_granularity = ${rowsOfGranule}`);
  assert.match(chosen, new RegExp(`chosen_records.*index_granularity = ${rowsOfGranule}`, 's'));
  await store.query({ query: chosen });
  await store.query({ query: 'exchange tables records and chosen_records' });
  await store.query({ query: 'drop table chosen_records' });
}

/** A loader on an empty store, with a checker that hardly pauses. */
async function open(t: TestContext) {
  for (const table of ['records', 'closed_rollups', 'day_builds']) {
    await store.query({ query: `truncate table ${table}` });
    await store.query({
      query: `alter table ${table} drop detached partition all settings allow_drop_detached = 1`,
    });
  }
  assert.equal((await engine.request('/', { body: 'system start merges' })).status, 200);
  const folder = await makeFolder();
  const clock = createFakeClock('2026-03-10T09:00:00Z');
  const { log } = createTestLog();
  const damage = await openDamageLog({ folder: join(folder, 'damage'), clock, log });
  const ledger = await openLedger({ folder });
  const journal = await openTestJournal(t, folder, { node: ledger.node, columns: recordColumns });
  const loader = startLoader({
    journal,
    ledger,
    store,
    damage,
    clock,
    log,
    isWanted: () => true,
    takeBuildTurn: (work) => work(),
    beforeMending: async () => {},
    onOtherStore: async () => {},
    countOnlyInStore: async () => undefined,
    otherLedgers: async () => [],
    waits: undefined,
    onBroken: (error) => {
      throw error;
    },
    engine: {
      isReady: () => engine.supervisor.state().state === 'ready',
      generation: () => engine.supervisor.generation(),
      isOutside: false,
      hasBrokenParts: () => engine.supervisor.state().brokenParts > 0,
      restart: (reason) => engine.supervisor.restart(reason),
    },
    intervalMs: 20,
    maxRows: 5000,
    maxBytes: 12_000_000,
  });
  t.after(async () => {
    await loader.stop({ withinMs: 60_000 });
    await ledger.close();
  });
  return {
    damage,
    ledger,
    journal,
    loader,
    async load(from: number, to: number): Promise<void> {
      for (let at = from; at < to; at += 5000)
        await Promise.all(
          Array.from({ length: Math.min(5000, to - at) }, (_, index) =>
            append(journal, payloadOf(at + index)),
          ),
        );
      await until(
        () => loader.isVerifiedTo(journal.durable()) || void loader.verifyNow() !== undefined,
        'records',
      );
    },
    verify: async () =>
      (await verifyBatches({ folder, store, otherNodes: new Set(), isWanted: () => true, patienceMs: 0 }))!,
    /** Waits until everything has been checked twice, the second time after the repair. */
    async check(): Promise<void> {
      const checking = startChecking({
        journal,
        store,
        loader,
        damage,
        log,
        stepMs: 1,
        restTimes: 0,
        isEngineReady: () => true,
        batchedTo: () => ledger.state.batchedTo,
      });
      await until(() => checking.progress().rounds > 0, 'everything to be checked');
      await checking.stop();
    },
  };
}

async function partOf(store: Store, table: string): Promise<StorePart & { path: string }> {
  const parts = await store.query<StorePart & { path: string }>({
    query: `select table, name, partition, rows, path from system.parts
            where active and database = currentDatabase() and table = {table:String} order by rows desc`,
    params: { table },
  });
  return parts[0]!;
}

/** Flips a bit in the middle of a part's data, as a failing disk would. */
function flip({ path }: { path: string }): void {
  const file = join(path, 'data.bin');
  const bytes = readFileSync(file);
  bytes[Math.floor(bytes.length / 2)]! ^= 0x10;
  writeFileSync(file, bytes);
}

const readAll =
  'select count() as rows, uniqExact(screen_width) as numbers, sum(cityHash64(*)) as content from records';

test('finds a flipped bit in the store, and mends it from the journal', async (t) => {
  const { damage, load, verify, check } = await open(t);
  await load(0, 1000);
  await store.query({ query: 'optimize table records final' });
  const [before] = await store.query({ query: readAll });
  const part = await partOf(store, 'records');
  flip(part);
  await assert.rejects(store.query({ query: `${readAll} settings max_threads = 1` }), /corrupted|checksum/i);
  assert.match((await store.checkPart(part))!, /[Cc]hecksum/);

  await check();
  await until(async () => (await damage.list()).length === 0, 'the damage to be settled');
  assert.deepEqual(await store.query({ query: readAll }), [before]);
  assert.equal((before as { numbers: number }).numbers, 1000);
  assert.deepEqual((await verify()).differences, []);
  for (const each of await store.listParts()) assert.equal(await store.checkPart(each), undefined);
  const detached = await store.query<{ name: string }>({ query: 'select name from system.detached_parts' });
  assert.deepEqual(detached, [{ name: part.name }], 'the damaged files are kept');
});

for (const older of isLongForm ? [18_000, 30_000, 45_000] : [1_500])
  testLong(`keeps what only the damaged part had, as far as it can be read: ${older} records`, (t) =>
    keepWhatCanBeRead(t, older),
  );

async function keepWhatCanBeRead(t: TestContext, older: number): Promise<void> {
  const newer = times(200, 2000);
  const { damage, ledger, journal, load, verify, check } = await open(t);
  await load(0, older);
  await journal.rotate();
  await load(older, older + newer);
  await journal.remove(1);
  await ledger.forgetSegment(1);
  await store.query({ query: 'optimize table records final' });
  flip(await partOf(store, 'records'));

  await check();
  await until(async () => {
    const known = await damage.list();
    return known.length === 1 && known[0]!.id.endsWith('-lost');
  }, 'the repair');
  const [after] = await store.query<{ rows: number; numbers: number }>({ query: readAll });
  assert.equal(after!.rows, after!.numbers, 'nothing is there twice');
  const lost = older + newer - after!.rows;
  assert.ok(lost > 0 && lost <= mostRowsOfGranule, `${lost} records are lost`);
  const [{ says } = { says: '' }, ...others] = await damage.list();
  assert.ok(says.startsWith(`${lost.toLocaleString('en-US')} records of 2026-03 are lost`), says);
  assert.deepEqual(others, []);
  const [recent] = await store.query({
    query: 'select count() as rows from records where screen_width >= {older:UInt32}',
    params: { older },
  });
  assert.deepEqual(recent, { rows: newer }, 'all that the journal has');
  assert.deepEqual((await verify()).differences, []);
}

testLong('reports what one damaged part loses, although the journal makes up for another one', async (t) => {
  const { damage, ledger, journal, loader, load } = await open(t);
  assert.equal((await engine.request('/', { body: 'system stop merges' })).status, 200);
  await load(0, 100);
  await journal.rotate();
  await load(100, 400);
  await journal.remove(1);
  await ledger.forgetSegment(1);
  const damaged = await store.query<StorePart & { path: string }>({
    query: `select table, name, partition, rows, path from system.parts
            where active and database = currentDatabase() and table = 'records'
            order by min_block_number desc`,
  });
  for (const { path } of damaged) {
    const file = join(path, 'data.bin');
    writeFileSync(file, Buffer.alloc(readFileSync(file).length, 0x5a));
  }
  for (const part of damaged) loader.mend(part);
  const count = async () =>
    (await store.query<{ rows: number }>({ query: 'select count() as rows from records' }))[0]!.rows;
  await until(async () => (await count().catch(() => 0)) === 300, 'what the journal has');
  await until(() => loader.isVerifiedTo(journal.durable()), 'the parts to be mended');
  const says = (await damage.list()).map((known) => known.says);
  const told = says.map((text) => Number(/^(\d+) records? of 2026-03 (?:is|are) lost/.exec(text)?.[1]));
  assert.equal(
    told.reduce((sum, rows) => sum + rows, 0),
    100,
    says.join('\n'),
  );
});

testLong('also mends a part that the loader itself cannot read', async (t) => {
  const { damage, load, verify, check } = await open(t);
  await load(0, 200);
  await store.query({ query: 'optimize table records final' });
  const part = await partOf(store, 'records');
  // All of its data is damaged, so that not even the batches can be counted.
  const file = join(part.path, 'data.bin');
  writeFileSync(file, Buffer.alloc(readFileSync(file).length, 0x5a));
  await engine.supervisor.restart('test');
  await until(() => engine.supervisor.state().state === 'ready', 'the engine');
  await check();
  await until(async () => (await damage.list()).length === 0, 'the damage to be settled');
  assert.deepEqual((await verify()).differences, []);
  const [row] = await store.query({ query: 'select count() as rows from records' });
  assert.deepEqual(row, { rows: 200 });
});

test('the next start finishes replacing a part after a crash, without loss or duplicates', async (t) => {
  const { load } = await open(t);
  await load(0, 500);
  await store.query({ query: 'optimize table records final' });
  const [before] = await store.query({ query: readAll });
  const begin = async (): Promise<string> => {
    const { name } = await partOf(store, 'records');
    await store.query({ query: `create table salvaged_records as records comment '${name}'` });
    await store.query({ query: 'insert into salvaged_records select * from records' });
    return name;
  };
  await begin();
  await store.finishSalvage();
  assert.deepEqual(await store.query({ query: readAll }), [before], 'before the part was taken away');

  const name = await begin();
  await store.query({ query: `alter table records detach part '${name}'` });
  await store.finishSalvage();
  assert.deepEqual(await store.query({ query: readAll }), [before], 'between');
  await store.finishSalvage();

  await begin();
  await store.query({ query: `alter table salvaged_records modify comment '${name}'` });
  await store.finishSalvage();
  assert.deepEqual(await store.query({ query: readAll }), [before], 'after it was put back');
});

testLong('sets damaged sums aside, and their days count as never added up', async (t) => {
  const { damage, load, check } = await open(t);
  await load(0, 10);
  await store.query({
    query: `
      insert into day_builds (website_id, day, build, is_open, records, checksum, clients, built_at)
      select 1, toDate('2026-03-10') - number, 1, false, 1, 1, 1, now64(3) from numbers(40)`,
  });
  await store.query({
    query: `insert into closed_rollups (website_id, day, build, dimension, value)
            select 1, '2026-03-10', 1, 'path', toString(cityHash64(number)) from numbers(1000)`,
  });
  flip(await partOf(store, 'closed_rollups'));
  await damage.report({
    id: 'store-part-records-209901-1-1-0',
    kind: 'store-part',
    says: 'of a store that was replaced',
    todo: 'the server repairs it automatically; check the disk',
  });
  await check();
  await until(async () => (await damage.list()).length === 0, 'the damage to be settled');
  const [left] = await store.query({ query: 'select count() as rows from closed_rollups' });
  assert.deepEqual(left, { rows: 0 });
  const [days] = await store.query({ query: `select max(day) as last, count() as rows from day_builds` });
  assert.deepEqual(days, { last: '2026-02-28', rows: 30 });
});

// This comes last, because it leaves a broken part that the engine reports at its start.
testLong(
  'reports a part that the engine cannot open once, with its content, until it is forgotten',
  async (t) => {
    const { damage, ledger, journal, loader, load } = await open(t);
    await load(0, 100);
    await journal.rotate();
    await load(100, 150);
    await journal.remove(1);
    await ledger.forgetSegment(1);
    await store.query({ query: 'optimize table records final' });
    const restart = async () => {
      await engine.supervisor.restart('test');
      await until(() => engine.supervisor.state().state === 'ready', 'the engine');
      assert.equal((await engine.request('/', { body: 'system stop merges' })).status, 200);
      await until(() => loader.isVerifiedTo(journal.durable()), 'the records to be loaded again');
    };
    const count = async () =>
      (await store.query<{ rows: number }>({ query: 'select count() as rows from records' }))[0];
    truncateSync(join((await partOf(store, 'records')).path, 'data.bin'), 10);
    await restart();
    assert.equal(engine.supervisor.state().brokenParts, 1);
    // The parts that it had been merged from still existed, and the engine used them instead.
    assert.deepEqual(await count(), { rows: 150 });
    assert.deepEqual(await damage.list(), []);

    await store.query({
      query: 'alter table records drop detached partition all settings allow_drop_detached = 1',
    });
    const [older] = await store.query<StorePart & { path: string }>({
      query: `select any(_part) as name, count() as rows from records where screen_width < 100 group by _part limit 1`,
    });
    const [{ path } = { path: '' }] = await store.query<{ path: string }>({
      query: 'select path from system.parts where active and name = {name:String}',
      params: { name: older!.name },
    });
    truncateSync(join(path, 'data.bin'), 10);
    await restart();
    assert.deepEqual(await count(), { rows: 150 - older!.rows });
    const known = await damage.list();
    assert.equal(known.length, 1);
    assert.ok(known[0]!.says.startsWith(`up to ${older!.rows} records are lost: part`), known[0]!.says);
    await damage.settle(() => true);
    await restart();
    assert.deepEqual(await damage.list(), []);
  },
);
