import assert from 'node:assert/strict';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pageView, post } from './support/records.ts';
import { startTrackside, type Trackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

async function send(trackside: Trackside, apiKey: string, count: number): Promise<void> {
  for (let sent = 0; sent < count; sent += 1)
    assert.equal((await post(trackside.origin(), '/api/page-view', apiKey, pageView())).status, 200);
}

async function degraded(trackside: Trackside): Promise<{ part: string; why: string }[]> {
  const body = (await (await fetch(`${trackside.origin()}/health`)).json()) as {
    Degraded: { part: string; why: string }[];
  };
  return body.Degraded;
}

async function startLoaded(t: TestContext, count: number) {
  const trackside = await startTrackside(t);
  const { id, apiKey } = await trackside.addWebsite('example.com');
  await waitFor('the key to be known', async () => {
    const { status } = await post(trackside.origin(), '/api/page-view', apiKey, pageView());
    return status === 200;
  });
  await send(trackside, apiKey, count - 1);
  const rows = () => trackside.countRows(`website_id = ${id}`).catch(() => -1);
  await waitFor('the records to be loaded', async () => (await rows()) === count);
  return { trackside, apiKey, rows };
}

/** The largest file below a folder whose path matches. */
function findFile(folder: string, pattern: RegExp): string {
  const [file] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name))
    .sort((a, b) => statSync(b).size - statSync(a).size);
  assert.ok(file, `expected a file like ${pattern}`);
  return file;
}

test('without its ledger, a server finds out what is loaded, and loads nothing twice', async (t) => {
  const { trackside, apiKey, rows } = await startLoaded(t, 30);
  await trackside.end('SIGTERM');
  rmSync(join(trackside.folder.journal, 'ledger'));
  await trackside.start();
  await send(trackside, apiKey, 3);
  await waitFor('the new records', async () => (await rows()) === 33);
  const verified = await trackside.run('verify');
  assert.equal(verified.code, 0, verified.stdout);
  assert.match(verified.stdout, /Every record is there exactly once\./);
  assert.equal(await rows(), 33);
});

test('bytes of the journal that cannot be read are known to all, also after a restart, until they are forgotten', async (t) => {
  const { trackside } = await startLoaded(t, 20);
  await trackside.end('SIGTERM');
  const segment = findFile(trackside.folder.journal, /\.segment$/);
  const bytes = readFileSync(segment);
  bytes[Math.floor(bytes.length / 2)]! ^= 1;
  writeFileSync(segment, bytes);
  for (const start of ['first', 'second']) {
    await trackside.start();
    await waitFor(`health to name it after the ${start} start`, async () =>
      (await degraded(trackside)).some(({ part, why }) => part === 'journal' && /can't be read/.test(why)),
    );
    if (start === 'first') await trackside.end('SIGKILL');
  }
  const metrics = await (await fetch(`${trackside.origin()}/metrics`)).text();
  assert.match(metrics, /^trackside_damage\{kind="journal-frames"\} 1$/m);
  assert.match(metrics, /^trackside_journal_damaged_bytes [1-9]/m);
  assert.equal((await trackside.run('verify')).code, 1);
  const doctor = await trackside.run('doctor');
  assert.equal(doctor.code, 1);
  const id = /--forget (\S+)/.exec(doctor.stdout)?.[1];
  assert.ok(id, doctor.stdout);
  for (let times = 0; times < 2; times += 1)
    assert.equal((await trackside.run('doctor', '--forget', id)).code, 0);
  await waitFor('health to be whole', async () => (await degraded(trackside)).length === 0);
  const verified = await trackside.run('verify');
  assert.equal(verified.code, 0, verified.stdout);
});

test('a flipped bit in the store is repaired by the next start', async (t) => {
  const { trackside, rows } = await startLoaded(t, 40);
  await trackside.end('SIGTERM');
  const file = findFile(trackside.folder.store, /\/20\d{4}_\d+_\d+_\d+\/data\.bin$/);
  const bytes = readFileSync(file);
  bytes[Math.floor(bytes.length / 2)]! ^= 1;
  writeFileSync(file, bytes);
  const damaged = await trackside.run('verify');
  assert.equal(damaged.code, 1);
  assert.match(damaged.stdout, /part \S+ of the table records is damaged/);
  await trackside.start();
  await waitFor('the repair', async () => (await trackside.run('verify')).code === 0, 60_000);
  assert.equal(await rows(), 40);
  await waitFor('health to be whole', async () => (await degraded(trackside)).length === 0);
});
