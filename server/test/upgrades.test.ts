import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { type Clock, systemClock } from '../src/time/clock.ts';
import { isLongForm } from './support/long-form.ts';
import { unpackFolder } from './support/packed-folder.ts';
import { pageView, post } from './support/records.ts';
import { runHere } from './support/run-here.ts';
import { createServerProcess } from './support/spawn-server.ts';
import { waitFor } from './support/wait-for.ts';
import { clockArguments } from './torture/open-clock-scene.ts';

/** Data folders of servers that were killed, from the first version that served to a recent one. */
const folders = [
  '1-first-server',
  '2-statistics',
  '3-users',
  '4-visits-by-device',
  '5-backups',
  '6-receipts',
  '7-ledger',
];
const inShortForm = ['1-first-server'];

type Expected = {
  /** A time in the month in which the folder was made, because quotas are of a month. */
  openAt: string;
  apiKey: string;
  pages: Record<string, number>;
  events: number;
  used: number;
  /** How many records the ledger has as refused. Earlier versions had none. */
  refused?: number;
};

for (const name of isLongForm ? folders : inShortForm) {
  test(`a data folder of an earlier version goes on with the same counts: ${name}`, async (t) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'trackside-'));
    t.after(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
    const file = (ending: string) => new URL(`data-folders/${name}.${ending}`, import.meta.url);
    await unpackFolder(await readFile(file('zst')), dataDir);
    const expected = JSON.parse(await readFile(file('json'), 'utf8')) as Expected;
    const { apiKey, pages, events, used, refused } = expected;
    const { clock, nodeArguments } = await makeClock(t, Date.parse(expected.openAt));
    const server = createServerProcess({ dataDir, nodeArguments });
    t.after(() => server.end('SIGKILL').then(() => {}));
    await server.start();
    const run = async (...words: string[]) => {
      const done = await runHere([...words, '--data-dir', dataDir, '--json'], {}, clock);
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
    if (refused !== undefined) {
      const { days } = await run('ledger', 'example.com');
      const sumOf = (name: 'accepted' | 'refused') =>
        days.reduce((sum: number, day: Record<string, number>) => sum + day[name]!, 0);
      assert.deepEqual(
        { accepted: sumOf('accepted'), refused: sumOf('refused') },
        { accepted: used + 1, refused },
      );
    }
    assert.deepEqual((await run('verify')).differences, []);
    await server.end('SIGTERM');
  });
}

/** Makes a clock that shows a given time now, and the arguments of Node for a server with that clock. */
async function makeClock(t: TestContext, ms: number): Promise<{ clock: Clock; nodeArguments: string[] }> {
  const wrongByMs = Math.round(ms - Date.now());
  const folder = await mkdtemp(join(tmpdir(), 'trackside-clock-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'clock');
  await writeFile(file, `${wrongByMs}\n`);
  const clock = { ...systemClock, now: () => Date.now() + wrongByMs };
  return { clock, nodeArguments: clockArguments(file) };
}
