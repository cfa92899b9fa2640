import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { after, before, test } from 'node:test';
import { openStore } from '../../src/store/open-store.ts';
import { testLong, times } from '../support/long-form.ts';
import { silentLog, startTestEngine, type TestEngine, until } from '../support/test-engine.ts';

const sessions = 2;
const maxWaiting = 64;
const heavySql = 'select count() from numbers(100000000000) where cityHash64(number) = 1';
/**
 * Takes just as long, but sleeps: others have to wait for it, and the processor stays idle. It goes row by
 * row, so that it ends in time.
 */
const sleepingSql = `
  select count() from numbers(100000000000) where sleepEachRow(0.01) = 1 settings max_block_size = 1`;

let engine: TestEngine;

before(async () => {
  engine = await startTestEngine({ sessions });
});
after(() => engine.stop());

function urlOf(parameters: Record<string, string>): string {
  return `/?${new URLSearchParams(parameters)}`;
}

async function ask(sql: string, parameters: Record<string, string> = {}) {
  return await engine.request(urlOf(parameters), { body: sql });
}

/** Keeps every query session busy until it is aborted. Resolves once all of them are busy. */
async function occupySessions(sql = sleepingSql): Promise<{ haveEnded(): boolean; abort(): void }> {
  const controller = new AbortController();
  // This is longer than a test may take.
  const url = urlOf({ max_execution_time: '600' });
  let ended = 0;
  for (let session = 0; session < sessions; session += 1)
    void engine
      .request(url, { body: sql, signal: controller.signal })
      .catch(() => {})
      .finally(() => {
        ended += 1;
      });
  await until(async () => !(await isAnsweredWithin(100)), 'all sessions to be busy');
  return { haveEnded: () => ended > 0, abort: () => controller.abort() };
}

async function isAnsweredWithin(milliseconds: number): Promise<boolean> {
  return await engine
    .request('/', { body: 'select 1', signal: AbortSignal.timeout(milliseconds) })
    .then(() => true)
    .catch(() => false);
}

test('answers a ping', async () => {
  const answer = await engine.request('/ping', { method: 'GET' });
  assert.deepEqual([answer.status, answer.body], [200, 'Ok.\n']);
});

test('refuses another path and another method', async () => {
  assert.equal((await engine.request('/replicas_status', { method: 'GET' })).status, 404);
  const get = await engine.request('/?query=select%201', { method: 'GET' });
  assert.deepEqual([get.status, get.headers.allow], [405, 'POST']);
  const post = await engine.request('/ping', { method: 'POST' });
  assert.deepEqual([post.status, post.headers.allow], [405, 'GET, HEAD']);
});

test('lets only its own user connect', () => {
  assert.equal(statSync(engine.socketPath).mode & 0o777, 0o600);
});

test('runs its queries at a lower priority', async () => {
  await Promise.all(Array.from({ length: 10 }, () => ask('select count() from numbers_mt(1000000)')));
  const priorities = threadPriorities(engine.supervisor.state().pid ?? 0);
  for (const name of ['libuv-worker', 'ThreadPool', 'BgSchPool']) {
    assert.deepEqual(priorities.get(name), new Set(['10']), name);
  }
});

/** Returns the nice values of the threads, by the name of the thread. */
function threadPriorities(pid: number): Map<string, Set<string>> {
  const priorities = new Map<string, Set<string>>();
  for (const task of readdirSync(`/proc/${pid}/task`)) {
    const stat = readStat(`/proc/${pid}/task/${task}/stat`);
    if (stat === undefined) continue;
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const nice = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16] ?? '';
    priorities.set(name, (priorities.get(name) ?? new Set()).add(nice));
  }
  return priorities;
}

/** Returns undefined if the thread has ended meanwhile. */
function readStat(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

test('takes the statement from the URL or from the body and returns format and query id', async () => {
  const byUrl = await engine.request(urlOf({ query: 'select 1 as a format JSONEachRow', query_id: 'abc-1' }));
  assert.deepEqual([byUrl.status, byUrl.body], [200, '{"a":1}\n']);
  assert.equal(byUrl.headers['x-clickhouse-format'], 'JSONEachRow');
  assert.equal(byUrl.headers['x-clickhouse-query-id'], 'abc-1');
  assert.equal((await ask('select 2', { default_format: 'CSV' })).body, '2\n');
  assert.equal((await engine.request(urlOf({ query: 'select 1' }), { body: 'select 2' })).status, 501);
  assert.equal((await ask('')).status, 400);
});

test('answers an error with its code in the header and in the text', async () => {
  const answer = await ask('select * from nowhere');
  assert.equal(answer.status, 404);
  assert.equal(answer.headers['x-clickhouse-exception-code'], '60');
  assert.match(answer.body, /^Code: 60\. DB::Exception: .*\(UNKNOWN_TABLE\)\n$/);
});

test('gives each of 50 simultaneous parameterized queries its own answer', async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) =>
      ask('select {number:UInt32}, {text:String}, sleepEachRow(0.01)', {
        param_number: String(index),
        param_text: `text ${index}`,
      }),
    ),
  );
  const expected = Array.from({ length: 50 }, (_, index) => `${index}\ttext ${index}\t0\n`);
  assert.deepEqual(
    answers.map((answer) => answer.body),
    expected,
  );
});

test('refuses a query that names a parameter of an earlier one without setting it', async () => {
  for (let use = 0; use < sessions; use++) await ask('select {secret:String}', { param_secret: 'mine' });
  for (let use = 0; use < sessions; use++) {
    const answer = await ask('select {secret:String}');
    assert.equal(answer.headers['x-clickhouse-exception-code'], '456');
  }
});

test('treats everything in a parameter as text', async () => {
  const attack = `'; drop database system; select '\\`;
  const answer = await ask('select {x:String} format JSONEachRow', {
    param_x: attack.replaceAll('\\', '\\\\'),
  });
  assert.deepEqual(Object.values(JSON.parse(answer.body)), [attack]);
  assert.equal((await ask('select 1', { "param_x = 1, y='": '1' })).status, 400);
  assert.equal((await ask('select 1', { database: 'system; drop database system' })).status, 400);
});

test('applies a setting to its own query only', async () => {
  const sql = `select getSetting('max_threads'), getSetting('max_execution_time')`;
  const usual = (await ask(sql)).body;
  assert.match(usual, /\t30\n$/);
  for (let use = 0; use < 2 * sessions; use++) {
    assert.equal((await ask(sql, { max_threads: '1', max_execution_time: '7' })).body, '1\t7\n');
  }
  for (let use = 0; use < 2 * sessions; use++) assert.equal((await ask(sql)).body, usual);
});

test('caps the time and the memory that a query may ask for', async () => {
  const sql = `select getSetting('max_execution_time'), getSetting('max_memory_usage') < 1024 * 1024 * 1024`;
  const answer = await ask(sql, { max_execution_time: '0', max_memory_usage: '999999999999' });
  assert.equal(answer.body, '600\t1\n');
});

test('refuses settings outside its list', async () => {
  for (const setting of [{ async_insert: '1' }, { format_schema: 'x' }, { max_threads: "1, readonly='0" }]) {
    assert.equal((await ask('select 1', setting)).status, 400, JSON.stringify(setting));
  }
});

test('refuses inserts of another shape than table, columns, format', async () => {
  await ask('create table shapes (a UInt32, b String) engine = Memory');
  const insert = (query: string, body: string) => engine.request(urlOf({ query }), { body });
  const good = await insert('insert into shapes (a, b) format JSONCompactEachRow', '[1,"x"]\n[2,"y"]\n');
  assert.equal(good.status, 200);
  assert.equal(JSON.parse(String(good.headers['x-clickhouse-summary'])).written_rows, '2');
  for (const query of [
    'insert into shapes format Parquet',
    'insert into shapes select * from shapes format JSONCompactEachRow',
    'insert into shapes (a); drop table shapes format JSONCompactEachRow',
    'insert into function file(x) format JSONCompactEachRow',
  ]) {
    assert.equal((await insert(query, '[1,"x"]')).status, 501, query);
  }
  assert.equal((await ask('insert into shapes format JSONCompactEachRow [3,"z"]')).status, 501);
  const broken = await insert(
    'insert into shapes (a, b) format JSONCompactEachRow',
    '[1,"x"]\n["no number","y"]\n',
  );
  assert.equal(broken.status, 500);
  assert.match(broken.body, /^Code: \d+\. DB::Exception/);
  assert.equal((await ask('select count() from shapes')).body, '2\n');
});

test('many rows become the same part as they would one by one, entirely or not at all', async () => {
  const columns = `a UInt32, b LowCardinality(String), c Array(LowCardinality(String)), d Bool, f UInt64,
    g DateTime64(3, 'UTC'), h Enum8('first' = 1, 'second' = 2), i DateTime('UTC'), day Date`;
  const names = ['one_by_one', 'together'];
  for (const name of names)
    await ask(
      `create table ${name} (${columns}, e String default concat(b, '!'))
       engine = MergeTree partition by toYYYYMM(day) order by a`,
    );
  const rows = Array.from({ length: 16_000 }, (_, at) => [
    at,
    at % 3 === 0 ? '' : `ä'"\\/\t\n\0\u2028😀 ${at % 50}`,
    at % 2 === 0 ? [] : ['x', `${at % 9}`, '"]'],
    at % 4 === 0,
    String(2n ** 64n - BigInt(at + 1)),
    '2026-03-29 00:59:59.999',
    at % 2 === 0 ? 'first' : 'second',
    '2026-03-29 01:00:00',
    '2026-03-29',
  ]);
  const insert = (name: string, lines: readonly unknown[]) =>
    engine.request(
      urlOf({
        query: `insert into ${name} (a, b, c, d, f, g, h, i, day) format JSONCompactEachRow`,
        log_comment: 'a-1',
        max_insert_block_size: '1000000',
        min_insert_block_size_rows: '1000000',
        min_insert_block_size_bytes: '0',
      }),
      {
        body: `${lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')}\n`,
      },
    );
  for (let at = 0; at < rows.length; at += 2000)
    assert.equal((await insert('one_by_one', rows.slice(at, at + 2000))).status, 200);
  assert.ok(JSON.stringify(rows.slice(0, 2000)).length < 512 * 1024);
  assert.ok(JSON.stringify(rows).length > 512 * 1024);

  const [last] = rows.slice(-1);
  const inMonthBefore = (count: number) =>
    Array.from({ length: count }, () => last!.toSpliced(8, 1, '2026-02-28'));
  for (const wrong of [
    ['no number', ...last!.slice(1)],
    last!.toSpliced(6, 1, 'third'),
    last!.toSpliced(7, 1, '2026-02-30 01:00:00 or so'),
    last!.slice(0, -1),
    [...last!, ''],
    [...last!, []],
    '[1,',
    'no row',
  ]) {
    const inserted = await insert('together', [...inMonthBefore(5000), wrong]);
    assert.equal(inserted.status, 500, JSON.stringify(wrong));
    assert.equal((await ask('select count() from together')).body, '0\n', JSON.stringify(wrong));
  }
  // chDB reads so many as more than one block.
  assert.equal((await insert('together', [...inMonthBefore(70_000), 'no row'])).status, 500);
  assert.equal((await ask('select count() from together')).body, '0\n');

  const selected = async () =>
    Number((await ask(`select value from system.events where event = 'SelectedRows'`)).body);
  const before = await selected();
  const good = await insert('together', rows);
  assert.equal(good.status, 200, good.body);
  assert.ok((await selected()) - before >= rows.length, 'they are read from a file');
  assert.equal(JSON.parse(String(good.headers['x-clickhouse-summary'])).written_rows, '16000');
  const [small, large] = await Promise.all(
    names.map((name) => ask(`select groupArray(tuple(*)) from (select * from ${name} order by a)`)),
  );
  assert.equal(large!.body, small!.body);
  const parts = `select count() from system.parts where table = 'together' and active`;
  assert.equal((await ask(parts)).body, '1\n');
});

test('many rows with nulls and no end of the last line are read as usual', async () => {
  await ask('create table odd (a UInt32, b String) engine = MergeTree order by a');
  const line = JSON.stringify([null, 'b'.repeat(1000)]);
  const body = `\n${`${line}\n`.repeat(600)}${JSON.stringify([7, null])}`;
  const url = urlOf({ query: 'insert into odd (a, b) format JSONCompactEachRow' });
  const inserted = await engine.request(url, { body });
  assert.equal(inserted.status, 200, inserted.body);
  assert.equal(JSON.parse(String(inserted.headers['x-clickhouse-summary'])).written_rows, '601');
  assert.equal((await ask('select count(), sum(a), max(length(b)) from odd')).body, '601\t7\t1000\n');
});

test('a wrong row behind many is no reason to insert those before it twice', async () => {
  await ask('create table numerous (a UInt32) engine = MergeTree order by a');
  const url = urlOf({
    query: 'insert into numerous (a) format JSONCompactEachRow',
    max_insert_block_size: '10000',
    min_insert_block_size_rows: '10000',
    min_insert_block_size_bytes: '0',
  });
  const body = `${'[7]\n'.repeat(200_000)}["no number"]\n`;
  assert.equal((await engine.request(url, { body })).status, 500);
  const rows = Number((await ask('select count() from numerous')).body);
  assert.ok(rows <= 200_000, `expected each row at most once, got ${rows} rows`);
});

test('an empty line is refused, because what follows would be taken for a statement', async () => {
  await ask('create table guarded (a UInt32, b String) engine = MergeTree order by a');
  const url = urlOf({ query: 'insert into guarded (a, b) format JSONCompactEachRow' });
  for (const filler of ['', `${JSON.stringify([1, 'b'.repeat(1000)])}\n`.repeat(600)]) {
    const inserted = await engine.request(url, { body: `${filler}[2,"x"]\n\ndrop table guarded` });
    assert.equal(inserted.status, 400);
    assert.match(inserted.body, /got an empty line/);
  }
  assert.equal((await ask('select count() from guarded')).body, '0\n');
});

test('many rows are inserted after the type of a column was changed', async () => {
  await ask('create table widened (a UInt8, b String) engine = MergeTree order by tuple()');
  const url = urlOf({ query: 'insert into widened (a, b) format JSONCompactEachRow' });
  const insert = (a: number) =>
    engine.request(url, { body: `${JSON.stringify([a, 'b'.repeat(1000)])}\n`.repeat(600) });
  assert.equal((await insert(1)).status, 200);
  await ask('alter table widened modify column a Int64');
  assert.equal((await insert(-(2 ** 40))).status, 200);
  assert.equal((await ask('select sum(a) from widened')).body, `${600 - 600 * 2 ** 40}\n`);
});

testLong('loads, counts batches and answers quick queries while every query session is busy', async (t) => {
  await ask('create table busy (a UInt32) engine = MergeTree order by a');
  const loading = openStore({ socketPath: engine.socketPath, use: 'loading', log: silentLog });
  const asking = openStore({ socketPath: engine.socketPath, use: 'asking', log: silentLog });
  t.after(() => Promise.all([loading.close(), asking.close()]));
  await loading.migrate();
  const heavy = await occupySessions();
  const url = urlOf({ query: 'insert into busy (a) format JSONCompactEachRow' });
  assert.equal((await engine.request(url, { body: '[1]\n' })).status, 200);
  const batches = { node: 'n1', fromBatch: 1, toBatch: 9, fromDay: '2026-01-01' };
  assert.deepEqual(await loading.countBatches(batches), []);
  assert.deepEqual(await asking.query({ query: 'select 1 as one', isQuick: true }), [{ one: 1 }]);
  assert.equal(heavy.haveEnded(), false);
  heavy.abort();
  assert.equal((await ask('select count() from busy')).body, '1\n');
});

test('ends a query that exceeds its time limit', async () => {
  assert.equal((await ask(sleepingSql, { max_execution_time: '1' })).status, 408);
});

test('refuses at once when too many queries wait, and still answers those in line', async () => {
  const heavy = await occupySessions();
  const asked = Array.from({ length: maxWaiting + 5 }, () => ask('select 1'));
  const refused = await Promise.any(
    asked.map(async (answer) => ((await answer).status === 503 ? await answer : Promise.reject())),
  );
  assert.equal(heavy.haveEnded(), false);
  assert.match(refused.body, /^Code: 202\. .*\(TOO_MANY_SIMULTANEOUS_QUERIES\)/);
  heavy.abort();
  const statuses = (await Promise.all(asked)).map((answer) => answer.status);
  assert.equal(statuses.filter((status) => status === 200).length, maxWaiting);
  assert.equal(statuses.filter((status) => status === 503).length, 5);
});

test('keeps no place in line for clients that have left', async () => {
  const heavy = await occupySessions();
  const controller = new AbortController();
  const waiting = Array.from({ length: maxWaiting }, () =>
    engine.request('/', { body: 'select 1', signal: controller.signal }).catch(() => undefined),
  );
  await until(() => isAnsweredWithin(200), 'the line to be full and the next one refused');
  controller.abort();
  await Promise.all(waiting);
  await until(async () => !(await isAnsweredWithin(200)), 'a place in the line');
  assert.equal(heavy.haveEnded(), false);
  heavy.abort();
});

async function countHeavy(): Promise<number> {
  const sql = `
    select count() from system.processes
    where position(query, 'cityHash64(' || 'number) = 1') > 0`;
  const { body } = await engine.request('/', { body: sql, headers: { 'X-Trackside-Use': 'quick' } });
  return Number(body);
}

test('stops queries whose client has left, keeps nothing of them, and reuses their sessions', async () => {
  for (let round = 0; round < times(1, 3); round++) {
    const heavy = await occupySessions(heavySql);
    await until(async () => (await countHeavy()) === sessions, 'the queries to run');
    heavy.abort();
    await until(async () => (await countHeavy()) === 0, 'the queries to be stopped');
    assert.equal((await ask('select {n:UInt8}', { param_n: '3' })).body, '3\n');
  }
});

test('finishes a statement that changes something, even when its client has left', async () => {
  await ask('create table changed (a UInt64) engine = MergeTree order by a');
  const controller = new AbortController();
  // It sleeps at each row, so that it is under way for two seconds.
  const insert = `
    insert into changed select number from numbers(200) where sleepEachRow(0.01) = 0
    settings max_block_size = 1`;
  const asked = engine.request('/', { body: insert, signal: controller.signal }).catch(() => undefined);
  const isRunning = async () => {
    const sql = `select count() from system.processes where position(query, 'insert into ' || 'changed') > 0`;
    return (await ask(sql)).body === '1\n';
  };
  await until(isRunning, 'the INSERT to run');
  controller.abort();
  await asked;
  await until(async () => !(await isRunning()), 'the INSERT to end');
  assert.equal((await ask('select count() from changed')).body, '200\n');
});

testLong('streams a large result without buffering it', async () => {
  const before = engine.supervisor.rssBytes() ?? 0;
  let peak = 0;
  let bytes = 0;
  const sql = `select number, repeat('x', 100) as text from numbers(1000000) format JSONEachRow`;
  await new Promise<void>((resolve, reject) => {
    const path = urlOf({ wait_end_of_query: '0' });
    const request = httpRequest({ socketPath: engine.socketPath, path, method: 'POST' }, (response) => {
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        peak = Math.max(peak, engine.supervisor.rssBytes() ?? 0);
      });
      response.on('end', resolve);
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end(sql);
  });
  assert.ok(bytes > 125_000_000, `${bytes} bytes came`);
  assert.ok(peak - before < 0.8 * bytes, `grew by ${peak - before} bytes for ${bytes}`);
});

test('marks a stream that fails on its way', async () => {
  const answer = await ask('select throwIf(number = 300000) as a from numbers(1000000) format JSONEachRow', {
    wait_end_of_query: '0',
  });
  const tag = String(answer.headers['x-clickhouse-exception-tag']);
  assert.equal(answer.status, 200);
  assert.ok(answer.body.endsWith(` ${tag}\r\n__exception__\r\n`));
  assert.match(answer.body, /FUNCTION_THROW_IF_VALUE_IS_NON_ZERO/);
  const failedAtOnce = await ask('select * from nowhere', { wait_end_of_query: '0' });
  assert.equal(failedAtOnce.status, 404);
});

test('refuses to buffer a result larger than the memory of a query', async () => {
  const answer = await ask(`select repeat('x', 1000) from numbers(1000000)`);
  assert.equal(answer.headers['x-clickhouse-exception-code'], '241');
});

test('gives a query no more memory than its share', async () => {
  const answer = await ask('select length(groupArray(number)) from numbers(200000000)');
  assert.equal(answer.headers['x-clickhouse-exception-code'], '241');
  assert.equal((await ask('select 1')).body, '1\n');
});
