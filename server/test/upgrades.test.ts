import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isLongForm } from './support/long-form.ts';
import { unpackFolder } from './support/packed-folder.ts';
import { pageView, post } from './support/records.ts';
import { runHere } from './support/run-here.ts';
import { createServerProcess } from './support/spawn-server.ts';
import { waitFor } from './support/wait-for.ts';

/** Data folders of servers that were killed, from the first version that served to a recent one. */
const folders = [
  '1-first-server',
  '2-statistics',
  '3-users',
  '4-visits-by-device',
  '5-backups',
  '6-receipts',
];
const inShortForm = ['1-first-server'];

type Expected = { apiKey: string; pages: Record<string, number>; events: number; used: number };

for (const name of isLongForm ? folders : inShortForm) {
  test(`a data folder of an earlier version goes on with the same counts: ${name}`, async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trackside-'));
    t.after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
    const file = (ending: string) => new URL(`data-folders/${name}.${ending}`, import.meta.url);
    await unpackFolder(await readFile(file('zst')), dataDir);
    const { apiKey, pages, events, used } = JSON.parse(await readFile(file('json'), 'utf8')) as Expected;
    const server = createServerProcess({ dataDir });
    t.after(() => server.end('SIGKILL').then(() => {}));
    await server.start();
    const run = async (...words: string[]) => {
      const done = await runHere([...words, '--data-dir', dataDir, '--json']);
      assert.equal(done.code, 0, done.stderr);
      return JSON.parse(done.stdout);
    };
    const Page = { Absolute: 'https://www.example.com/new' };
    const answer = await post(server.origin(), '/api/page-view', apiKey, pageView({ Page }));
    assert.equal(answer.status, 200, 'its API key still works');
    type Row = { dimensions: { page: string }; metrics: { pageViews: number; events: number } };
    const count = async (): Promise<Row[]> =>
      (await run('stats', 'example.com', '--period', 'all', '--by', 'page', '--metrics', 'pageViews,events'))
        .rows;
    // Earlier versions kept addresses encoded, and `trackside rebuild` decodes them.
    const viewsOf = (rows: Row[]) =>
      Object.fromEntries(
        rows
          .map(({ dimensions, metrics }) => [decodeURI(dimensions.page), metrics.pageViews])
          .filter(([, views]) => views),
      );
    await waitFor('the new record to be counted', async () => viewsOf(await count())['/new'] === 1);
    const rows = await count();
    assert.deepEqual(viewsOf(rows), { ...pages, '/new': 1 });
    assert.equal(
      rows.reduce((sum, { metrics }) => sum + metrics.events, 0),
      events,
    );
    const { websites } = await run('website', 'list');
    const website = websites.find(({ domain }: { domain: string }) => domain === 'example.com');
    await waitFor('the quota to be counted', async () => {
      const found = (await run('website', 'list')).websites.find(
        ({ id }: { id: number }) => id === website.id,
      );
      return found.usedAsOfCheckpoint === used + 1;
    });
    assert.deepEqual((await run('verify')).differences, []);
    await server.end('SIGTERM');
  });
}
