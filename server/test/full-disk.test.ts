import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pageView, post } from './support/records.ts';
import { runHere } from './support/run-here.ts';
import { createServerHere } from './support/serve-here.ts';
import { waitFor } from './support/wait-for.ts';
import { openSmallDisk, whyNoSmallDisk } from './torture/open-small-disk.ts';

const environment = { TRACKSIDE_MIN_FREE_BYTES: '1MB', TRACKSIDE_JOURNAL_MAX_BYTES: '100MB' };
const todo = 'ree up space, or inodes if those ran out (df, df -i), then try again.';

/** Starts a server on a disk of its own, with a website. */
async function startOnSmallDisk(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-full-'));
  const disk = await openSmallDisk(folder);
  const dataDir = join(disk.path, 'data');
  const server = createServerHere({ dataDir, environment });
  t.after(async () => {
    await server.end('SIGTERM');
    await disk.close();
    await rm(folder, { recursive: true, force: true });
  });
  await server.start();
  const run = (...words: string[]) => runHere([...words, '--data-dir', dataDir]);
  const added = await run('website', 'add', 'example.com', '--json');
  const { apiKey } = JSON.parse(added.stdout);
  const send = () => post(server.origin(), '/api/page-view', apiKey, pageView());
  const pageViews = async () => JSON.parse((await run('stats', 'example.com', '--json')).stdout).pageViews;
  return { disk, dataDir, run, send, pageViews };
}

test('a command on a full disk says in one line which folder is full and what to do', {
  skip: whyNoSmallDisk() ?? false,
}, async (t) => {
  const { disk, dataDir, run, send, pageViews } = await startOnSmallDisk(t);
  await send();
  await waitFor('the first record', async () => (await pageViews()) === 1);
  await send();
  await waitFor('the second record in the store', async () => {
    const { stdout } = await run(
      'export',
      'example.com',
      '--format',
      'csv',
      '--json',
      '--output',
      await nextFile(t),
    );
    return JSON.parse(stdout).records === 2;
  });
  let stats = { code: 0, stdout: '', stderr: '' };
  // Numbers that are a few seconds old are shown without adding up the latest records.
  const isRefused = async () => {
    await disk.leave(0);
    stats = await run('stats', 'example.com');
    return stats.code !== 0;
  };
  await waitFor('the full disk in stats', isRefused, 30_000);
  const stderrOfStats = `The disk is full: the store in ${dataDir} cannot be written. F${todo}`;
  assert.deepEqual(stats, { code: 1, stdout: '', stderr: stderrOfStats });
  const { code, stderr } = await run(
    'export',
    'example.com',
    '--format',
    'csv',
    '--output',
    await nextFile(t),
  );
  const control = join(dataDir, 'control', 'control.db');
  assert.equal(code, 1);
  assert.ok(stderr.includes(`the disk is full: the control database ${control} cannot be written`), stderr);
});

/** Names a file on another disk. */
async function nextFile(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-export-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'records.csv');
}
