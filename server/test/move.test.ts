import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestPostgres } from '../src/control/test-postgres.ts';
import { dataFolder } from '../src/files/data-folder.ts';
import { openStore, type Store } from '../src/store/open-store.ts';
import { addHistory } from './support/add-history.ts';
import { findFreePort } from './support/find-free-port.ts';
import { times } from './support/long-form.ts';
import { outsideEnvironment, outsideStoreAt } from './support/outside-environment.ts';
import { pageView, post } from './support/records.ts';
import { runHere } from './support/run-here.ts';
import { shareCompiledCode } from './support/share-compiled-code.ts';
import { createServerProcess } from './support/spawn-server.ts';
import { startEngineService } from './support/start-engine-service.ts';
import { silentLog } from './support/test-engine.ts';
import { waitFor } from './support/wait-for.ts';

/** Starts PostgreSQL, an engine elsewhere, and a server that doesn't know of either yet. */
async function openInstallation(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'trackside-'));
  t.after(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const postgres = await startTestPostgres();
  t.after(() => postgres.kill());
  await postgres.run('postgres', 'create database trackside template template0');
  const service = await startEngineService(t, { port: await findFreePort(), isNew: true });
  const dataDir = join(root, 'one');
  shareCompiledCode(dataFolder(dataDir).store);
  const port = await findFreePort();
  const outside = {
    ...outsideEnvironment(service.origin()),
    TRACKSIDE_DATABASE_URL: postgres.url('trackside'),
  };
  const own = createServerProcess({ dataDir, port });
  const shared = createServerProcess({ dataDir, port, environment: outside });
  t.after(async () => void (await Promise.all([own.end('SIGKILL'), shared.end('SIGKILL')])));
  const run = async (words: string[], environment: Record<string, string> = {}) => {
    const done = await runHere([...words, '--data-dir', dataDir, '--json'], environment);
    assert.equal(done.code, 0, `${words.join(' ')}: ${done.stderr}${done.stdout}`);
    return JSON.parse(done.stdout);
  };
  const refuse = async (words: string[], environment: Record<string, string> = {}) => {
    const done = await runHere([...words, '--data-dir', dataDir], environment);
    assert.equal(done.code, 1, `${words.join(' ')}: ${done.stdout}`);
    return done.stderr;
  };
  /** Runs the command in its own process, and kills it after a while. */
  const killMove = async (words: string[], afterMs: number): Promise<void> => {
    const move = createServerProcess({ dataDir, environment: outside, words: ['move', ...words] });
    t.after(() => move.end('SIGKILL').then(() => {}));
    move.launch();
    await delay(afterMs);
    await move.end('SIGKILL');
  };
  const origin = `http://127.0.0.1:${port}`;
  return { root, dataDir, origin, postgres, service, outside, own, shared, run, refuse, killMove };
}

function startSending(origin: string, apiKey: string) {
  const answered: string[] = [];
  let isStopped = false;
  const running = (async () => {
    for (let at = 0; !isStopped; at += 1) {
      const path = `/new/${at}`;
      const record = pageView({ Page: { Absolute: `https://www.example.com${path}` } });
      const answer = await post(origin, '/api/page-view', apiKey, record).catch(() => undefined);
      if (answer?.status === 200) answered.push(path);
      // More would only cost processor time.
      await delay(20);
    }
  })();
  const more = async () => {
    const before = answered.length;
    await waitFor('more records to be answered', () => answered.length > before + 10);
  };
  return {
    answered,
    more,
    async stop() {
      isStopped = true;
      await running;
    },
  };
}

async function assertOnce(store: Store, paths: readonly string[]): Promise<void> {
  const read = async () => {
    const rows = await store.query<{ path: string; number: number }>({
      query: 'select path, count() as number from records group by path',
    });
    return new Map(rows.map(({ path, number }) => [path, number]));
  };
  await waitFor('every answered record to be in the store', async () => {
    const found = await read().catch(() => new Map<string, number>());
    return paths.every((path) => found.has(path));
  });
  assert.deepEqual(
    [...(await read())].filter(([, number]) => number !== 1),
    [],
    'no record is there twice',
  );
}

test('an installation moves out and back while it takes records', {
  timeout: times(1_800_000, 3_600_000),
}, async (t) => {
  const { root, dataDir, origin, postgres, service, outside, own, shared, run, refuse, killMove } =
    await openInstallation(t);
  await own.start();
  const { apiKey, ...website } = await run(['website', 'add', 'shop.test']);
  const inFolder = openStore({ socketPath: dataFolder(dataDir).engineSocket, use: 'asking', log: silentLog });
  t.after(() => inFolder.close());
  const away = openStore({ outside: outsideStoreAt(service.origin()), use: 'asking', log: silentLog });
  t.after(() => away.close());
  await waitFor('the store', () => inFolder.isMigrated());
  const paths = await addHistory(inFolder, [website.id, website.id + 1]);
  const sending = startSending(origin, apiKey);
  t.after(() => sending.stop());
  await sending.more();

  await t.test('the plan says how much there is, and makes nothing', async () => {
    const plan = await run(['move', '--dry-run'], outside);
    assert.ok(plan.source.records >= paths.length && plan.source.bytes > 0, JSON.stringify(plan));
    assert.deepEqual(plan.target, { records: 0, bytes: 0 });
    assert.equal(await away.isMigrated(), false);
    const tables = await postgres.run('trackside', 'select 1 from pg_tables where tablename = $1', [
      'websites',
    ]);
    assert.deepEqual(tables, []);
  });

  await t.test('what is not its own is refused, and not touched', async () => {
    assert.match(await refuse(['move']), /Set TRACKSIDE_DATABASE_URL and TRACKSIDE_CLICKHOUSE_URL/);
    assert.match(await refuse(['move', '--back'], outside), /There is nothing to move/);
    const keyFile = join(root, 'other.key');
    const withKey = { ...outside, TRACKSIDE_SECRET_KEY_FILE: keyFile };
    assert.match(await refuse(['move'], withKey), /secret key file .* is missing/);
    await writeFile(keyFile, `${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 });
    assert.match(await refuse(['move'], withKey), /is not the one that the installation/);
    await away.migrate();
    await addHistory(away, [1]);
    assert.match(await refuse(['move'], outside), /already has 600 records that this move did not copy/);
    await away.forMove().run({ query: 'truncate table records' });
    await postgres.run('postgres', 'create database other template template0');
    const other = { ...withKey, TRACKSIDE_DATABASE_URL: postgres.url('other') };
    const added = await runHere(['website', 'add', 'other.test', '--data-dir', join(root, 'other')], other);
    assert.equal(added.code, 0, added.stderr);
    const toOther = { ...outside, TRACKSIDE_DATABASE_URL: postgres.url('other') };
    for (const words of [['move'], ['move', '--finish']])
      assert.match(await refuse(words, toOther), /already holds another installation/);
    const websites = await postgres.run('other', 'select domain from websites');
    assert.deepEqual(websites, [{ domain: 'other.test' }]);
  });

  await t.test('records are copied while the server runs and the copy is killed', async () => {
    for (let round = 0; round < times(1, 12); round += 1) await killMove([], 900 + Math.random() * 2_500);
    const copying = run(['move'], outside);
    if (times(0, 1) === 1) {
      await service.end('SIGKILL');
      await own.end('SIGKILL');
      await delay(3_000);
      await service.start();
      await own.start();
    }
    const copied = await copying;
    assert.equal(copied.isFinished, false);
    await sending.more();
    await run(['website', 'add', 'late.test']);
    // What is erased or rewritten after it was copied must not stay at the target.
    const change = (what: string) =>
      inFolder.forMove().run({ query: `alter table records ${what}`, settings: { mutations_sync: '2' } });
    await change(`delete where node = 'nold' and day = '2026-01-01' and visitor_id % 7 = 1`);
    await change(`update host = 'rewritten.test' where node = 'nold' and day = '2025-12-31'`);
    const left = await inFolder.query<{ path: string }>({
      query: `select path from records where node = 'nold' order by path`,
    });
    assert.ok(left.length < paths.length && left.length > 1_000, `${left.length}`);
    paths.splice(0, paths.length, ...left.map(({ path }) => path));
    assert.match(await refuse(['move', '--finish'], outside), /A server is running on .* Stop it/);
  });

  await t.test('what came in since then is moved when the server has stopped', async () => {
    await own.end('SIGKILL');
    for (let round = 0; round < times(1, 8); round += 1)
      await killMove(['--finish'], 1_000 + Math.random() * 4_000);
    const moved = await run(['move', '--finish'], outside);
    assert.equal(moved.isFinished, true);
    if (!moved.wasFinished) {
      assert.deepEqual(moved.records.differences, []);
      assert.ok(moved.records.records >= paths.length);
      assert.ok(
        moved.control.every(({ isSame, rows }: { isSame: boolean; rows: number }) => isSame && rows >= 0),
      );
    }
    assert.deepEqual((await run(['move', '--finish'], outside)).wasFinished, true);
    assert.match(await refuse(['serve', '--port', '0']), /Set TRACKSIDE_CLICKHOUSE_URL|was moved to/);
    assert.match(await refuse(['website', 'list']), /was moved to PostgreSQL/);
    await shared.start();
    await sending.more();
    await assertOnce(away, [...paths, ...sending.answered]);
    const old = await away.query<{ host: string; number: number }>({
      query: `select host, count() as number from records where node = 'nold' group by host order by host`,
    });
    assert.deepEqual(old, [
      { host: '', number: paths.length - 300 },
      { host: 'rewritten.test', number: 300 },
    ]);
    const { websites } = await run(['website', 'list'], outside).then((list) =>
      Array.isArray(list) ? { websites: list } : list,
    );
    assert.ok(JSON.stringify(websites).includes('late.test'));
    assert.deepEqual((await run(['verify'], outside)).differences, []);
    assert.deepEqual((await run(['move'], outside)).wasFinished, true);
  });

  await t.test('and back into the folder that it came from', async () => {
    for (let round = 0; round < times(0, 8); round += 1)
      await killMove(['--back'], 1_000 + Math.random() * 3_000);
    assert.equal((await run(['move', '--back'], outside)).isFinished, false);
    await sending.more();
    assert.match(
      await refuse(['move', '--back', '--finish'], outside),
      /Servers or commands are still using/,
    );
    await shared.end('SIGKILL');
    await postgres.run(
      'trackside',
      `insert into nodes (name, shares_store, seen_at, loaded_to, known_revision, holds_from)
       values ('nkilled', 1, 0, 0, 0, 0), ('nalone', 0, 0, 0, 0, 0)`,
    );
    assert.match(
      await refuse(['move', '--back', '--finish'], outside),
      /The journal of node nkilled may hold records .* `trackside node retire NAME`/,
    );
    await run(['node', 'retire', 'nkilled'], outside);
    const moved = await run(['move', '--back', '--finish'], outside);
    assert.equal(moved.isFinished, true);
    assert.deepEqual(moved.records.differences, []);
    assert.match(await refuse(['serve', '--port', '0'], outside), /was moved to the data folder/);
    await own.start();
    await sending.more();
    await sending.stop();
    await assertOnce(inFolder, [...paths, ...sending.answered]);
    await waitFor('the journal to agree', async () => {
      const { code } = await runHere(['verify', '--data-dir', dataDir]);
      return code === 0;
    });
  });
});
