import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { readLedger } from '../src/loader/open-ledger.ts';
import { openStore } from '../src/store/open-store.ts';
import { addHistory } from './support/add-history.ts';
import { isLongForm, testLong } from './support/long-form.ts';
import { pageView, post } from './support/records.ts';
import { useTracksideOfProcess } from './support/share-trackside.ts';
import type { Trackside } from './support/start-trackside.ts';
import { silentLog } from './support/test-engine.ts';
import { waitFor } from './support/wait-for.ts';

async function send(trackside: Trackside, apiKey: string, count: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < count; i += 1) {
    statuses.push((await post(trackside.origin(), '/api/page-view', apiKey, pageView())).status);
  }
  return statuses;
}

async function health(trackside: Trackside) {
  const response = await fetch(`${trackside.origin()}/health`);
  const body = (await response.json()) as { degraded: { part: string; why: string; damage?: string }[] };
  return { status: response.status, body };
}

/** All tests share one server, and each leaves it with a store that can be opened. */
let trackside: Trackside;
const startShared = useTracksideOfProcess();
before(async () => {
  trackside = await startShared();
});

let websites = 0;

/** Adds a website with one record, for a single test. */
async function addWebsite() {
  websites += 1;
  const { id, apiKey } = await trackside.addWebsite(`example-${websites}.com`);
  await waitFor('the key to be known', async () => (await send(trackside, apiKey, 1))[0] === 200);
  const rows = () => trackside.countRows(`website_id = ${id}`).catch(() => -1);
  await waitFor('the first record to be loaded', async () => (await rows()) === 1);
  return { id, apiKey, rows };
}

/** Damages the table's metadata, so that the engine cannot open the store. */
function damageStore(store: string): () => void {
  const metadata = readdirSync(store, { recursive: true, encoding: 'utf8' }).find((name) =>
    /\brecords\.sql$/.test(name),
  );
  assert.ok(metadata, 'expected the metadata of the table');
  const file = join(store, metadata);
  const before = readFileSync(file);
  writeFileSync(file, 'ATTACH TABLE _ UUID what is this');
  return () => writeFileSync(file, before);
}

/** Ends the engine, so that the next one has to open the store as it is now. */
function killEngine(): void {
  const engines = trackside.enginePids();
  assert.equal(engines.length, 1);
  for (const pid of engines) process.kill(pid, 'SIGKILL');
}

testLong('reports a store that cannot be opened and leaves it alone, and counts records later', async () => {
  const { apiKey, rows } = await addWebsite();
  const mend = damageStore(trackside.folder.store);
  killEngine();
  await waitFor('health to name the engine', async () =>
    /cannot-open/.test(JSON.stringify((await health(trackside)).body)),
  );
  const { status, body } = await health(trackside);
  assert.equal(status, 200);
  assert.equal(body.degraded[0]?.part, 'engine');
  assert.deepEqual(await send(trackside, apiKey, 20), Array(20).fill(200));
  assert.deepEqual(
    readdirSync(trackside.dataDir).filter((name) => name.includes('aside')),
    [],
  );
  const doctor = await trackside.runHere('doctor');
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /FAIL {2}engine/);
  mend();
  await waitFor('the records to be loaded', async () => (await rows()) === 21);
  await waitFor('health to be whole', async () => (await health(trackside)).body.degraded.length === 0);
});

test('repair sets a damaged store aside while the server runs, and loads the journal', async () => {
  const { apiKey, rows } = await addWebsite();
  await send(trackside, apiKey, 9);
  await waitFor('the records to be loaded', async () => (await rows()) === 10);
  damageStore(trackside.folder.store);
  killEngine();
  await send(trackside, apiKey, 5);

  const asked = await trackside.runHere('repair');
  assert.equal(asked.code, 1);
  assert.match(asked.stderr, /repair --yes/);
  assert.match(asked.stderr, /can't be opened. When it was last counted, no records existed only there/);
  const { code, stdout, stderr } = await trackside.runHere('repair', '--yes', '--json');
  assert.equal(code, 0, stderr);
  const { aside, onlyInOldStore } = JSON.parse(stdout);
  assert.ok(existsSync(aside), 'expected the old store to be kept');
  assert.equal(onlyInOldStore.rows, 0);
  await waitFor('all records to be loaded again', async () => (await rows()) === 15);
  assert.deepEqual(await send(trackside, apiKey, 5), Array(5).fill(200));
  await waitFor('new records to be loaded', async () => (await rows()) === 20);
  assert.equal((await trackside.runHere('verify')).code, 0, 'it is not reported as gone');
});

testLong('reports that the store is gone with records that the journal does not have', async () => {
  const { id, rows } = await addWebsite();
  const store = openStore({ socketPath: trackside.folder.engineSocket, use: 'asking', log: silentLog });
  const history = await addHistory(store, [id]);
  await store.close();
  const before = (await readLedger(trackside.folder.journal))!.onlyInStore?.rows ?? 0;
  const { stderr: consequences } = await trackside.runHere('repair');
  const only = (before + history.length).toLocaleString('en-US');
  assert.ok(consequences.includes(`exist only in the old store: ${only}.`), consequences);
  killEngine();
  await waitFor('the records to be counted', async () => {
    const { onlyInStore } = (await readLedger(trackside.folder.journal))!;
    return onlyInStore?.rows === before + history.length;
  });
  await trackside.end('SIGTERM');
  rmSync(trackside.folder.store, { recursive: true });
  await trackside.start();
  await waitFor('the record to be loaded again', async () => (await rows()) === 1);
  const damageOf = async () => (await health(trackside)).body.degraded.map(({ damage }) => damage);
  await waitFor('health to name the loss', async () => (await damageOf()).length === 1);
  const [damage = ''] = await damageOf();
  assert.match(damage, /^store-gone-/);
  const verify = await trackside.runHere('verify');
  assert.equal(verify.code, 1);
  assert.match(verify.stdout, /about [\d,]+ records are lost: the store was missing/);
  assert.equal((await trackside.runHere('doctor', '--forget', damage)).code, 0);
  await waitFor('health to be whole', async () => (await damageOf()).length === 0);
});

testLong('repair without a server sets the store aside, and the next start loads it', async () => {
  const { rows } = await addWebsite();
  await trackside.end('SIGTERM');
  damageStore(trackside.folder.store);
  assert.equal((await trackside.runHere('verify')).code, 1);
  assert.equal((await trackside.runHere('repair', '--yes')).code, 0);
  await trackside.start();
  await waitFor('the record to be loaded again', async () => (await rows()) === 1);
});

// In the short form, the first test has an engine that cannot open its store for a while.
if (isLongForm) test('an engine whose folder is gone for a while comes back on its own', takeStoreAway);

async function takeStoreAway(): Promise<void> {
  const { apiKey, rows } = await addWebsite();
  const away = `${trackside.folder.store}-away`;
  renameSync(trackside.folder.store, away);
  writeFileSync(trackside.folder.store, 'not a folder');
  chmodSync(trackside.folder.store, 0o600);
  killEngine();
  await waitFor('health to name the engine', async () =>
    /cannot-open/.test(JSON.stringify((await health(trackside)).body)),
  );
  assert.deepEqual(await send(trackside, apiKey, 3), [200, 200, 200]);
  renameSync(trackside.folder.store, `${trackside.folder.store}-file`);
  renameSync(away, trackside.folder.store);
  await waitFor('the records to be loaded', async () => (await rows()) === 4);
}

test('loads records one after the other while heavy queries hold every query session', async () => {
  const { apiKey } = await addWebsite();
  // In the long form, one query computes. The others only hold their session.
  const computing = {
    query: 'select count() from numbers(100000000000) where cityHash64(number) = 1',
    settings: { max_execution_time: 300, max_threads: 1 },
  };
  const sleeping = {
    query: 'select sleepEachRow(1) from numbers(300)',
    settings: { max_execution_time: 300, max_block_size: '1' },
  };
  let ended = 0;
  const heavy = [isLongForm ? computing : sleeping, sleeping, sleeping].map((question) =>
    trackside.store
      .query(question)
      .catch(() => {})
      .finally(() => {
        ended += 1;
      }),
  );
  const metric = async (name: string) => {
    const text = await (await fetch(`${trackside.origin()}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  };
  // All query sessions are taken, so the loaded rows are read from the node's metrics.
  const loadedBefore = await metric('trackside_loader_rows_loaded');
  for (let i = 0; i < 2; i += 1) {
    assert.deepEqual(await send(trackside, apiKey, 1), [200]);
    await waitFor(
      'the record to be loaded',
      async () => (await metric('trackside_loader_rows_loaded')) > loadedBefore + i,
    );
  }
  assert.equal(ended, 0, 'expected the heavy queries to run all the while');
  killEngine();
  await Promise.all(heavy);
});
