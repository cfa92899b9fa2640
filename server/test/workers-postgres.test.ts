import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { startTestPostgres } from '../src/control/test-postgres.ts';
import { dataFolder } from '../src/files/data-folder.ts';
import { copyEmptyStore } from './support/copy-empty-store.ts';
import { findFreePort } from './support/find-free-port.ts';
import { times } from './support/long-form.ts';
import { pageView, post } from './support/records.ts';
import { runHere } from './support/run-here.ts';
import { shareCompiledCode } from './support/share-compiled-code.ts';
import { createServerProcess } from './support/spawn-server.ts';
import { waitFor } from './support/wait-for.ts';

const contingent = times(150, 300);

test('three workers on PostgreSQL', { timeout: 1_800_000 }, async (t) => {
  const postgres = await startTestPostgres();
  await postgres.run('postgres', 'create database trackside template template0');
  const dataDir = await mkdtemp(join(tmpdir(), 'trackside-'));
  const { store } = dataFolder(dataDir);
  shareCompiledCode(store);
  await copyEmptyStore(store);
  const port = await findFreePort();
  const environment: Record<string, string> = {
    TRACKSIDE_DATABASE_URL: postgres.url('trackside'),
    TRACKSIDE_WORKERS: '3',
  };
  const server = createServerProcess({ dataDir, port, environment });
  t.after(async () => {
    await server.end('SIGKILL');
    await postgres.kill();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  });
  await server.start();

  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runHere([...words, '--data-dir', dataDir, '--json'], environment);
    assert.equal(code, 0, stderr);
    return JSON.parse(stdout);
  };
  /** How often each status was answered. A connection that broke off is 0. */
  const sendAll = async (apiKey: string, count: number) => {
    const all = Array.from({ length: count }, () =>
      post(server.origin(), '/api/page-view', apiKey, pageView()).then(
        ({ status }) => status,
        () => 0,
      ),
    );
    return Object.groupBy(await Promise.all(all), (status) => String(status));
  };
  const { apiKey, id } = await run('website', 'add', 'limited.test', '--contingent', String(contingent));
  let accepted = 0;
  let unknown = 0;
  const wave = async (key = apiKey) => {
    const answers = await sendAll(key, 30);
    accepted += answers[200]?.length ?? 0;
    unknown += answers[0]?.length ?? 0;
    return answers;
  };

  await t.test('accept no more than the contingent when a worker and PostgreSQL are killed', async () => {
    await wave();
    process.kill(workerPids(server.pid())[0]!, 'SIGKILL');
    await wave();
    await postgres.kill();
    const without = await wave();
    assert.deepEqual(
      Object.keys(without).filter((status) => !['0', '200', '503'].includes(status)),
      [],
    );
    await postgres.start();
    // A worker that has no place left may get one later, when another gives back what it doesn't need.
    await waitFor('the contingent to be used up', async () => {
      await delay(100);
      return (await wave())[429]?.length === 30 && accepted + unknown >= contingent;
    });
    assert.ok(accepted <= contingent, `${accepted} accepted, ${unknown} unknown`);
  });

  await t.test('know a new key at once and refuse the old one within a second', async () => {
    const regenerated = await run('website', 'regenerate-key', String(id));
    const later = delay(1000);
    // As many as were unknown may have failed, and then there is still room for them.
    const limited = await wave(regenerated.apiKey);
    assert.deepEqual(
      Object.keys(limited).filter((status) => !['200', '429'].includes(status)),
      [],
    );
    assert.ok(accepted <= contingent, `${accepted} accepted, ${unknown} unknown`);
    await later;
    // On a busy machine, it takes longer.
    await waitFor('the old key to be refused', async () => Object.keys(await wave()).join() === '401');
    const unlimited = await run('website', 'add', 'unlimited.test');
    assert.deepEqual(Object.keys(await sendAll(unlimited.apiKey, 30)), ['200']);
  });

  await t.test('lose nothing when only one of them is left', async () => {
    environment.TRACKSIDE_WORKERS = '1';
    await server.end('SIGKILL');
    await server.start();
    const words = ['verify', '--data-dir', dataDir, '--json'];
    await waitFor('the store to have all records', async () => {
      const { code, stdout } = await runHere(words, environment);
      // It finds differences while the rest is being loaded.
      if (code !== 0) return false;
      const { rows } = JSON.parse(stdout);
      return rows >= accepted + 30 && rows <= accepted + unknown + 30;
    });
    assert.deepEqual((await run('verify')).differences, []);
  });
});

function workerPids(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
  return children.filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('worker'));
}
