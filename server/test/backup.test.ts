import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';
import { holdWorkFolder } from '../src/backup/hold-work-folder.ts';
import { startTestS3 } from '../src/backup/test-s3.ts';
import { endedEverywhereAt } from '../src/control/privacy/keep-salts.ts';
import { dataFolder } from '../src/files/data-folder.ts';
import { readMark } from '../src/files/mark-file.ts';
import { openStore } from '../src/store/open-store.ts';
import { addHistory } from './support/add-history.ts';
import { isLongForm, testLong, times } from './support/long-form.ts';
import { pageView, post } from './support/records.ts';
import { runHere } from './support/run-here.ts';
import { createServerProcess, type ServerProcess } from './support/spawn-server.ts';
import { silentLog } from './support/test-engine.ts';
import { waitFor } from './support/wait-for.ts';

async function openInstallation(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'trackside-'));
  t.after(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const { access, files: bucket } = await startTestS3(t, 'bucket');
  const key = {
    TRACKSIDE_SECRET_KEY_FILE: join(root, 'secret.key'),
    TRACKSIDE_S3_ENDPOINT: access.s3Endpoint!,
    TRACKSIDE_S3_REGION: access.s3Region,
    TRACKSIDE_S3_ACCESS_KEY_ID: access.s3AccessKeyId!,
    TRACKSIDE_S3_SECRET_ACCESS_KEY: access.s3SecretAccessKey!,
  };
  const serverOn = (name: string): ServerProcess => {
    const server = createServerProcess({ dataDir: join(root, name), environment: key });
    t.after(() => server.end('SIGKILL').then(() => {}));
    return server;
  };
  const run = async (name: string, ...words: string[]) => {
    const done = await runHere([...words, '--data-dir', join(root, name), '--json'], key);
    assert.equal(done.code, 0, `${words.join(' ')}: ${done.stderr}${done.stdout}`);
    return JSON.parse(done.stdout);
  };
  const refuse = async (name: string, ...words: string[]) => {
    const done = await runHere([...words, '--data-dir', join(root, name)], key);
    assert.equal(done.code, 1, `${words.join(' ')}: ${done.stdout}`);
    return done.stderr + done.stdout;
  };
  /** Runs the command in its own process, and kills it after a while. */
  const kill = async (name: string, words: string[], afterMs: number): Promise<void> => {
    const process = createServerProcess({ dataDir: join(root, name), environment: key, words });
    process.launch();
    await delay(afterMs);
    await process.end('SIGKILL');
  };
  return { root, serverOn, run, refuse, kill, bucket, place: join(root, 'place') };
}

/** Into the beginning, the middle and the end of what takes about three seconds. */
const killsAfterMs = [1_500, 500, 900, 1_300, 1_700, 2_100, 2_500, 2_900];

const hourMs = 3_600_000;

/** Someone with a ClientId has a device of their own. Records of one page had to wait for an hour. */
async function send(server: ServerProcess, apiKey: string, path: string, clientId: string | null = null) {
  const { Browser } = pageView().Metrics;
  const record = pageView({
    Page: { Absolute: `https://www.example.com${path}` },
    Identify: { ClientId: clientId },
    ...(clientId !== null && { Browser: { ...Browser, IP: '198.51.100.9' } }),
  });
  const OccurredAt = path === '/b' ? new Date(Date.now() - hourMs).toISOString() : null;
  return (await post(server.origin(), '/api/page-view', apiKey, { ...record, OccurredAt })).status;
}

test('a backup of a running server is restored with everything, and without who was erased', async (t) => {
  const { root, serverOn, run, refuse, kill, bucket, place } = await openInstallation(t);
  const beganAt = Date.now();
  const one = serverOn('one');
  await one.start();
  const { id, apiKey } = await run('one', 'website', 'add', 'example.com', '--contingent', '50');
  const store = openStore({
    socketPath: dataFolder(join(root, 'one')).engineSocket,
    use: 'asking',
    log: silentLog,
  });
  t.after(() => store.close());
  const history = await addHistory(store, [id]);

  const viewsOf = async (name: string): Promise<Map<string, number>> => {
    const { rows } = await run(
      name,
      'stats',
      'example.com',
      '--period',
      'all',
      '--by',
      'page',
      '--limit',
      '9000',
    );
    type Row = { dimensions: { page: string }; metrics: { pageViews: number } };
    return new Map(rows.map(({ dimensions, metrics }: Row) => [dimensions.page, metrics.pageViews]));
  };
  const sent: string[] = [];
  const sendAll = async (paths: readonly string[], clientId?: string) => {
    for (const path of paths) assert.equal(await send(one, apiKey, path, clientId), 200);
    if (clientId === undefined) sent.push(...paths);
  };
  await sendAll(['/a', '/b', '/c']);
  await sendAll(['/person', '/person/again'], 'someone');
  assert.equal((await post(one.origin(), '/api/page-view', apiKey, {})).status, 400);
  const ledgerOn = async (name: string) => {
    const { totals, refusals } = await run(name, 'ledger', 'example.com');
    return { totals, refusals };
  };

  await t.test('keeps the records that only the journal had', async () => {
    const { records, newRecords } = await run('one', 'backup', place);
    assert.equal(newRecords, records);
    assert.ok(records >= history.length && records <= history.length + 5, `${records}`);
    const [newest] = (await run('one', 'backup', place, '--list')).backups;
    assert.equal(newest.records, records);
  });

  await t.test('saves only what is new the next time, and checks all of it', async () => {
    await waitFor('all to be counted', async () => (await viewsOf('one')).size === history.length + 5);
    await delay(1_000);
    await kill('one', ['backup', place], 1_500);
    const unfinished = join(place, 'records', '2025-02-03', `${'a'.repeat(32)}.jsonl.zst.part`);
    await writeFile(unfinished, 'of a backup that was killed');
    const again = await run('one', 'backup', place, '--keep', '2');
    await assert.rejects(stat(unfinished), { code: 'ENOENT' });
    assert.equal(again.records, history.length + 5);
    assert.ok(again.newRecords <= 5, `${again.newRecords} records were saved again`);
    const { backups, broken } = await run('one', 'backup', place, '--verify');
    assert.deepEqual([backups >= 2, broken], [true, []]);
  });

  if (isLongForm)
    await t.test(
      'makes one backup to a bucket at a time, keeps it whatever the clock says, and cleans up after itself',
      async () => {
        const name = 's3://bucket/one';
        const work = holdWorkFolder(join(root, 'one'), { name });
        assert.ok(work);
        assert.match(
          await refuse('one', 'backup', name),
          /Another backup to s3:\/\/bucket\/one is being made/,
        );
        work.release();
        const left = join(work.path, 'control', 'control.db');
        await mkdir(dirname(left));
        await writeFile(left, 'of a backup that was killed');
        await run('one', 'backup', name);
        assert.deepEqual(await readdir(work.path), ['lock']);
        const [path] = [...bucket.keys()].filter((key) => key.startsWith('one/backups/'));
        bucket.set('one/backups/2099-01-01T00-00-00Z.json', bucket.get(path!)!);
        const note = join(dataFolder(join(root, 'one')).damage, 'store-part-a.json');
        await mkdir(dirname(note), { recursive: true });
        await writeFile(note, JSON.stringify({ id: 'store-part-a', kind: 'store-part', says: '', todo: '' }));
        const { removed, losses } = await run('one', 'backup', name, '--keep', '1');
        assert.deepEqual([removed.backups, losses], [0, ['store-part-a']]);
        await rm(note);
        const { backup } = await run('one', 'backup', name, '--keep', '1');
        const { backups } = await run('one', 'backup', name, '--list');
        assert.deepEqual([backup, backups.length, backups[0].backup], ['2099-01-01T00-00-02Z', 1, backup]);
        await run('one', 'backup', name, '--forget');
      },
    );

  await t.test('is not there if another server has removed files of it meanwhile', async () => {
    const name = 's3://bucket/two';
    const put = bucket.set.bind(bucket);
    bucket.set = (path, bytes) => {
      put(path, bytes);
      if (path.startsWith('two/control/')) bucket.delete(path);
      return bucket;
    };
    assert.match(await refuse('one', 'backup', name), /was removed from s3:\/\/bucket\/two while/);
    bucket.set = put;
    assert.deepEqual((await run('one', 'backup', name, '--list')).backups, []);
    await run('one', 'backup', name, '--forget');
  });

  await t.test('has no salt and no session', async () => {
    const { backups } = await run('one', 'backup', place, '--list');
    const manifest = await readFile(join(place, 'backups', `${backups.at(-1).backup}.json`), 'utf8');
    const { control } = JSON.parse(manifest.split('\n')[0]!);
    await writeFile(join(root, 'control.db'), zstdDecompressSync(await readFile(join(place, control.path))));
    const database = new DatabaseSync(join(root, 'control.db'));
    const count = (table: string) => database.prepare(`select count(*) as rows from ${table}`).get()!.rows;
    assert.deepEqual([count('salts'), count('sessions'), count('websites')], [0, 0, 2]);
    database.close();
  });

  await t.test('refuses places that are not for it', async () => {
    assert.match(await refuse('one', 'backup', join(root, 'one', 'backups')), /is in the data folder/);
    assert.match(await refuse('nowhere', 'backup', join(root, 'new')), /There is nothing to back up in/);
    assert.deepEqual(
      (await readdir(root)).filter((name) => name === 'nowhere' || name === 'new'),
      [],
    );
    await rename(place, `${place}-unmounted`);
    await mkdir(place);
    assert.match(await refuse('one', 'backup', place), /are gone\. Is its disk mounted\?.*--forget/);
    assert.deepEqual(await readdir(place), []);
    await rm(place, { recursive: true });
    await rename(`${place}-unmounted`, place);
    const others = join(root, 'others');
    await mkdir(join(others, 'records'), { recursive: true });
    assert.match(await refuse('one', 'backup', others), /others is not empty/);
    assert.deepEqual(await readdir(others), ['records']);
    assert.match(await refuse('one', 'backup', 'ftp://somewhere'), /a folder or s3:\/\/bucket\/prefix/);
    assert.match(await refuse('one', 'restore', place), /A server is running/);
    assert.match(await refuse('two', 'restore', join(root, 'nowhere')), /There is no backup in/);
  });

  const { notNotedIn } = await run('one', 'person', 'erase', 'example.com', 'someone', '--yes');
  assert.deepEqual(notNotedIn, []);
  const usedOn = async (name: string): Promise<number> => {
    const { websites } = await run(name, 'website', 'list');
    return websites.find(({ domain }: { domain: string }) => domain === 'example.com').usedAsOfCheckpoint;
  };
  const usedBefore = await usedOn('one');
  const ledgerBefore = await ledgerOn('one');
  assert.deepEqual([ledgerBefore.totals.accepted, ledgerBefore.totals.refused], [5, 1]);
  await one.end('SIGKILL');

  if (isLongForm)
    await t.test('refuses a damaged backup, and a folder that was half restored', async () => {
      const { backups } = await run('one', 'backup', place, '--list');
      const manifest = await readFile(join(place, 'backups', `${backups.at(-1).backup}.json`), 'utf8');
      const { days } = JSON.parse(manifest.split('\n')[0]!);
      const file = join(place, days.at(-1).pieces[0].path);
      const whole = await readFile(file);
      await writeFile(file, whole.fill(whole[9]! ^ 1, 9, 10));
      assert.match(await refuse('two', 'restore', place), /is damaged\. The backup .* can't be restored/);
      assert.match(
        await refuse('one', 'backup', place, '--verify'),
        /is damaged.*Backups that need it.*Delete damaged files/s,
      );
      const half = serverOn('two');
      half.launch();
      await waitFor('the server to refuse', () => half.output.join('').includes('A restore into'));
      await half.end('SIGKILL');
      await writeFile(file, whole.fill(whole[9]! ^ 1, 9, 10));
      for (const afterMs of killsAfterMs.slice(0, times(0, killsAfterMs.length))) {
        await kill('two', ['restore', place], afterMs);
        // On a quick machine, it was complete before it was killed.
        if (existsSync(join(dataFolder(join(root, 'two')).control, 'control.db')))
          await rm(join(root, 'two'), { recursive: true });
      }
    });

  const two = serverOn('two');
  await t.test('restores every number, and erases again who was erased since', async () => {
    const damaged = '2099-01-01T00-00-00Z';
    await writeFile(join(place, 'backups', `${damaged}.json`), 'damaged');
    assert.match(
      await refuse('two', 'restore', place, '--at', damaged),
      /is damaged\. The backup .* can't be restored/,
    );
    const { backups } = await run('one', 'backup', place, '--list');
    assert.deepEqual(backups.at(-1), { backup: damaged, isDamaged: true });
    const restored = await run('two', 'restore', place);
    assert.deepEqual([restored.backup, restored.damaged], [backups.at(-2).backup, [damaged]]);
    assert.equal(restored.erasures, 1);
    assert.match(await refuse('two', 'restore', place), /is not empty/);
    const database = new DatabaseSync(join(dataFolder(join(root, 'two')).control, 'control.db'));
    const { oldest } = database.prepare('select min(date) as oldest from salts').get()!;
    const { last } = database.prepare('select last_website_id as last from control_state').get()!;
    database.close();
    assert.ok(endedEverywhereAt(`${oldest}`) > beganAt, `${oldest} had another salt`);
    assert.equal(await readMark(dataFolder(join(root, 'two')).lastWebsite), String(last));
    await two.start();
    await waitFor('the person to be gone', async () => !(await viewsOf('two')).has('/person'));
    assert.deepEqual(await viewsOf('two'), new Map([...history, ...sent].map((path) => [path, 1])));
    const exported = join(root, 'two.ndjson');
    await run('two', 'export', 'example.com', '--format', 'ndjson', '--output', exported);
    const rows = (await readFile(exported, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const waited = rows.filter(({ waited_ms }) => waited_ms >= hourMs);
    assert.deepEqual(
      waited.map(({ path }) => path),
      ['/b'],
    );
    assert.equal(await usedOn('two'), usedBefore);
    assert.deepEqual(await ledgerOn('two'), ledgerBefore);
    const statuses: number[] = [];
    for (let at = 0; at < 50; at += 1) statuses.push(await send(two, apiKey, `/new/${at}`));
    const accepted = statuses.filter((status) => status === 200).length;
    assert.equal(accepted, 45, 'the contingent goes on where it was');
    const { findings } = await run('two', 'doctor').catch(() => ({ findings: [] }));
    const backup = findings.find(({ check }: { check: string }) => check === 'backup');
    assert.match(backup?.says ?? '', /^0 hours ago in /);
  });

  await t.test('says that an erasure could not be noted where the backups are', async () => {
    await rename(place, `${place}.away`);
    const erased = await run('two', 'person', 'erase', 'example.com', 'someone else', '--yes');
    assert.deepEqual(erased.notNotedIn, [place]);
    await two.end('SIGTERM');
  });
});

testLong(
  'a backup has what a replaced store has yet to load, and what is in the store twice only once',
  async (t) => {
    const { root, serverOn, run, place } = await openInstallation(t);
    const one = serverOn('one');
    await one.start();
    const { id, apiKey } = await run('one', 'website', 'add', 'example.com');
    const viewsIn = async (name: string): Promise<number> => {
      const { rows } = await run(name, 'stats', 'example.com', '--period', 'all');
      return rows[0].metrics.pageViews;
    };
    for (const path of ['/a', '/b', '/c']) assert.equal(await send(one, apiKey, path), 200);
    await waitFor('all to be counted', async () => (await viewsIn('one')) === 3);
    // A start compares all batches with the store, and writes down that they are there.
    await one.end('SIGTERM');
    await one.start();
    await waitFor('all to be counted again', async () => (await viewsIn('one')) === 3);
    const store = openStore({
      socketPath: dataFolder(join(root, 'one')).engineSocket,
      use: 'asking',
      log: silentLog,
    });
    await store.ofWebsite(id).run({ query: 'insert into records select * from records' });
    await store.close();
    const { records } = await run('one', 'backup', place);
    assert.equal(records, 0, 'what is not exactly in the store is only in the part of the journal');
    await one.end('SIGTERM');
    const another = join(root, 'another');
    await run('one', 'repair', '--yes');
    await run('one', 'backup', another);
    for (const [name, from] of [
      ['two', place],
      ['three', another],
    ] as const) {
      await run(name, 'restore', from);
      const restored = serverOn(name);
      await restored.start();
      await waitFor('all to be counted once', async () => (await viewsIn(name)) === 3).catch(() => {});
      assert.equal(await viewsIn(name), 3, name);
      await restored.end('SIGKILL');
    }
  },
);
