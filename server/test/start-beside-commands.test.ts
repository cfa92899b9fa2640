import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { before, type TestContext, test } from 'node:test';
import { pageView, post } from './support/records.ts';
import { shareTrackside } from './support/share-trackside.ts';
import { main } from './support/spawn-server.ts';
import type { Trackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

/** All tests share one folder. Each prepares it without a server, and then starts one. */
let trackside: Trackside;
const startShared = shareTrackside({ isStartedLater: true });
before(async () => {
  trackside = await startShared();
});

async function engineHealth(): Promise<string> {
  const response = await fetch(`${trackside.origin()}/health`);
  assert.equal(response.status, 200);
  const { degraded } = (await response.json()) as { degraded: { part: string; why: string }[] };
  return degraded.find(({ part }) => part === 'engine')?.why ?? '';
}

/** Starts an export that can't finish until it is read, because a pipe holds far less than it writes. */
async function beginExport(t: TestContext) {
  const words = ['export', 'demo.trackside.test', '--format', 'ndjson', '--data-dir', trackside.dataDir];
  const command = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => command.kill('SIGKILL'));
  await once(command.stdout, 'readable');
  return {
    pid: command.pid!,
    async finish(): Promise<{ code: number; records: number }> {
      const closed = once(command, 'close');
      let records = 0;
      for await (const chunk of command.stdout as AsyncIterable<Buffer>) {
        for (const byte of chunk) if (byte === 10) records += 1;
      }
      const [code] = await closed;
      return { code, records };
    },
  };
}

test('a server starts at once beside a command that has the store, and loads once that ends', async (t) => {
  const { id, apiKey } = await trackside.addWebsite('example.com');
  // Of two days, because today may have just begun.
  const demo = await trackside.runHere('demo', '--days', '2', '--visits-per-day', '600', '--json');
  assert.equal(demo.code, 0, demo.stderr);
  const { records } = JSON.parse(demo.stdout);

  const exporting = await beginExport(t);
  // This command starts waiting for the export without a server. The server that starts in the meantime takes
  // over.
  const counting = trackside.runHere('stats', 'demo.trackside.test', '--json');
  await trackside.start();
  for (let i = 0; i < 10; i += 1) {
    assert.equal((await post(trackside.origin(), '/api/page-view', apiKey, pageView())).status, 200);
  }
  const waiting = `waiting for \`trackside export\` (pid ${exporting.pid}) to finish with the store`;
  await waitFor('health to name the command', async () => (await engineHealth()) === `locked: ${waiting}`);
  assert.ok(trackside.output().includes(waiting), 'the log says so too');

  const doctor = await trackside.runHere('doctor');
  assert.ok(doctor.stdout.includes(`warn  engine       The server is ${waiting}.`), doctor.stdout);
  assert.doesNotMatch(doctor.stdout, /FAIL|repair/);
  const repair = await trackside.runHere('repair', '--yes');
  assert.equal(repair.code, 1);
  assert.ok(
    repair.stderr.includes(`is in use by \`trackside export\` (pid ${exporting.pid})`),
    repair.stderr,
  );

  assert.deepEqual(await exporting.finish(), { code: 0, records });
  const { code, stderr } = await counting;
  assert.equal(code, 0, stderr);
  await waitFor('the records to be loaded', () =>
    trackside.countRows(`website_id = ${id}`).then(
      (rows) => rows === 10,
      () => false,
    ),
  );
  await waitFor('health to be whole', async () => (await engineHealth()) === '');
  assert.equal((await trackside.runHere('doctor')).code, 0);
});

test('a server that starts while a website is being deleted finishes the deletion', async () => {
  const demo = await trackside.runHere(
    'demo',
    '--domain',
    'gone.test',
    '--days',
    '2',
    '--visits-per-day',
    '200',
    '--json',
  );
  assert.equal(demo.code, 0, demo.stderr);
  const { id, records } = JSON.parse(demo.stdout);
  await trackside.end('SIGTERM');
  // The command starts in this process before the server's process does.
  const deleting = trackside.runHere('website', 'delete', 'gone.test', '--confirm', 'gone.test');
  await trackside.start();
  const { code, stdout, stderr } = await deleting;
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, new RegExp(`Deleted gone.test with ${records.toLocaleString('en-US')} records`));
  assert.equal(await trackside.control.websites.find('gone.test'), undefined);
  await waitFor('health to be whole', async () => (await engineHealth()) === '');
  assert.equal(await trackside.countRows(`website_id = ${id}`), 0);
});
