import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pageView, post } from './support/records.ts';
import { startTrackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

type Short = { child: ChildProcess; origin: string; output: () => string };

/** Starts a server that may have so many files open; undefined when these are not enough even to listen. */
async function serveWithin(openFiles: number, dataDir: string) {
  const command = `ulimit -n ${openFiles}; exec "${process.execPath}" "${main}" serve`;
  const child = spawn('sh', ['-c', command], {
    env: { PATH: process.env.PATH, TRACKSIDE_DATA_DIR: dataDir, TRACKSIDE_PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const origin = () => /listens on (\S+)/.exec(output)?.[1];
  await waitFor('the server to listen or to end', () => child.exitCode !== null || origin() !== undefined);
  return { child, origin: origin(), output: () => output };
}

async function engineHealth(origin: string): Promise<string> {
  const response = await fetch(`${origin}/health`);
  assert.equal(response.status, 200);
  const { Degraded } = (await response.json()) as { Degraded: { part: string; why: string }[] };
  return Degraded.find(({ part }) => part === 'engine')?.why ?? '';
}

test('records are accepted while there are too few files left to start an engine', async (t) => {
  const trackside = await startTrackside(t);
  const { id, apiKey } = await trackside.addWebsite('example.com');
  await trackside.end('SIGTERM');
  const send = (origin: string) =>
    post(origin, '/api/page-view', apiKey, pageView()).then(
      ({ status }) => status,
      () => undefined,
    );
  // The fewest with which the server itself gets along and answers leave none for the pipes of an engine.
  const startShort = async (openFiles: number): Promise<Short> => {
    assert.ok(openFiles < 64, 'expected the server to get along with fewer open files');
    const { child, origin, output } = await serveWithin(openFiles, trackside.dataDir);
    if (origin !== undefined && (await send(origin)) === 200) return { child, origin, output };
    child.kill('SIGKILL');
    return await startShort(openFiles + 2);
  };
  const { child, origin, output } = await startShort(24);
  t.after(() => child.kill('SIGKILL'));
  await waitFor('the node to try again', () => output().split('EMFILE').length > 3);
  // A connection that finds no descriptor free is closed; the next one may find one.
  let why = '';
  await waitFor('health to be told', () =>
    engineHealth(origin).then(
      (told) => {
        why = told;
        return true;
      },
      () => false,
    ),
  );
  assert.match(why, /^cannot-start: .*EMFILE.*open files/);
  assert.doesNotMatch(why, /repair/);
  for (let i = 0; i < 20; i += 1) {
    await waitFor('a record to be accepted', async () => (await send(origin)) === 200);
  }

  // More connections than can be opened: those that find no place wait or fail, and the node lives.
  const signal = AbortSignal.timeout(3000);
  await Promise.allSettled(Array.from({ length: 60 }, () => fetch(`${origin}/health`, { signal })));
  await waitFor('the node to answer again', async () => (await send(origin)) === 200);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  assert.deepEqual(await exited, [0, null]);
  await trackside.start();
  await waitFor('the records to be loaded', () =>
    trackside.countRows(`website_id = ${id}`).then(
      (rows) => rows >= 22,
      () => false,
    ),
  );
});
