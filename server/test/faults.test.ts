import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { explainFault } from '../src/commands/run-command-line.ts';
import { damageTable } from '../src/control/test-control.ts';
import { dataFolder } from '../src/files/data-folder.ts';
import { frameHeaderBytes, segmentPath, writeFrame } from '../src/journal/segment-file.ts';
import { testLong } from './support/long-form.ts';
import { pageView, post } from './support/records.ts';
import { runHere } from './support/run-here.ts';
import { createServerProcess, main } from './support/spawn-server.ts';

let root = '';
let healthy = '';
before(async () => {
  root = mkdtempSync(join(tmpdir(), 'trackside-faults-'));
  healthy = join(root, 'healthy');
  const { status, stderr } = await tracksideHere(healthy, ['website', 'add', 'a.test']);
  assert.equal(status, 0, stderr);
});
after(() => rmSync(root, { recursive: true, force: true }));

type Result = { status: number | null; stdout: string; stderr: string };

/** Runs a command as an operator would, optionally under a limit that the shell sets. */
function trackside(dataDir: string, words: string[], limit = 'true'): Result {
  const args = [process.execPath, main, ...words, '--data-dir', dataDir];
  return spawnSync('sh', ['-c', `${limit}; exec "$@"`, 'sh', ...args], {
    encoding: 'utf8',
    timeout: 300_000,
  });
}

function copyOf(name: string): ReturnType<typeof dataFolder> {
  cpSync(healthy, join(root, name), { recursive: true });
  return dataFolder(join(root, name));
}

/** Does the same in this process, for faults that need no limit and are reported before the process ends. */
async function tracksideHere(dataDir: string, words: string[]): Promise<Result> {
  const { code, stdout, stderr } = await runHere([...words, '--data-dir', dataDir]);
  return { status: code, stdout, stderr };
}

/** Expects a single line that says what is wrong and what to do, without a stack trace. */
function expectOneLine(result: Result, says: RegExp): void {
  assert.equal(result.status, 1, result.stderr);
  const lines = result.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  assert.equal(lines.length, 1, result.stderr);
  assert.match(lines[0]!, says);
}

// The server itself answers 503 in this case: see starts.test.ts.
for (const words of [['website', 'list'], ['website', 'add', 'b.test'], ['verify']]) {
  const name = words.slice(0, 2).join('-');

  test(`${words.join(' ')} names a control database that is not one, and how to restore it`, async () => {
    const folder = copyOf(`garbage-${name}`);
    const database = join(folder.control, 'control.db');
    writeFileSync(database, 'garbage '.repeat(2000));
    const says = new RegExp(`^The control database ${database} is damaged.*restore a backup`);
    expectOneLine(await tracksideHere(folder.root, words), says);
  });
}

test('reports a truncated control database as damaged', async () => {
  const folder = copyOf('cut');
  const database = join(folder.control, 'control.db');
  truncateSync(database, statSync(database).size / 2 + 100);
  expectOneLine(
    await tracksideHere(folder.root, ['website', 'add', 'b.test']),
    /control\.db is damaged.*restore a backup/,
  );
});

test('reports a control database with a page of garbage as damaged', async () => {
  const folder = copyOf('page');
  const database = join(folder.control, 'control.db');
  const bytes = readFileSync(database);
  // The first page has the schema and stays intact, so the database opens and fails later.
  writeFileSync(database, bytes.fill(0x5a, 4096));
  expectOneLine(
    await tracksideHere(folder.root, ['website', 'add', 'b.test']),
    /control database.* is damaged.*restore a backup/,
  );
});

testLong('doctor finds a damaged page that no command needs', async () => {
  const folder = copyOf('unread-page');
  const database = join(folder.control, 'control.db');
  await damageTable(database, 'audit_log');
  assert.equal((await tracksideHere(folder.root, ['website', 'list'])).status, 0);
  const { status, stdout } = await tracksideHere(folder.root, ['doctor']);
  assert.equal(status, 1);
  assert.match(stdout, new RegExp(`FAIL {2}control +the control database ${database} is damaged\n`));
});

test('reports a full disk with what to check', () => {
  for (const [dataDir, limit] of [
    [copyOf('full').root, 'ulimit -f 0'],
    [join(root, 'full-from-the-start'), 'ulimit -f 8'],
  ] as const) {
    const result = trackside(dataDir, ['website', 'add', 'b.test'], limit);
    expectOneLine(
      result,
      /^trackside: The disk failed to read or write .*control\.db\. Check its free space \(df/,
    );
  }
});

test('reports a file where a folder should be by its path', async () => {
  const dataDir = join(root, 'file-as-folder');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'control'), '');
  expectOneLine(
    await tracksideHere(dataDir, ['website', 'list']),
    /\/control cannot be used: there is a file where a folder/,
  );
});

test('says that an invalid lock file may be deleted', () => {
  const folder = copyOf('lock');
  writeFileSync(folder.nodeLock, 'garbage '.repeat(2000));
  const says = /^trackside: The lock file \S+\/node\.lock is damaged: it is not a database\. Delete it/;
  expectOneLine(trackside(folder.root, ['serve', '--port', '0']), says);
});

test('a server without the right secret key answers 503 and says why, and does not end', async (t) => {
  const folder = copyOf('secret-key');
  const keyFile = join(folder.root, 'secret.key');
  writeFileSync(keyFile, readFileSync(keyFile).subarray(5));
  const server = createServerProcess({ dataDir: folder.root });
  t.after(() => server.end('SIGKILL'));
  await server.start();
  const { status, headers } = await post(server.origin(), '/api/page-view', 'any key', pageView());
  assert.deepEqual([status, headers.get('retry-after')], [503, '30']);
  const health = await fetch(`${server.origin()}/health`);
  assert.match(await health.text(), /"part":"control","why":"the secret key is missing, damaged or not/);
  assert.match(
    server.output.join(''),
    /The secret key file \S+ holds \d+ bytes: expected 32.*Restore the file/,
  );
});

testLong('start, doctor and verify report a segment of a newer format', async () => {
  const folder = copyOf('newer');
  mkdirSync(folder.journal, { mode: 0o700 });
  const magic = Buffer.from('TRACKSIDE JOURNAL\n');
  const header = JSON.stringify({ format: 99, node: 'n1', columns: [], createdAt: 0 });
  const bytes = Buffer.alloc(magic.length + frameHeaderBytes + header.length);
  magic.copy(bytes);
  writeFrame(bytes, magic.length, header);
  writeFileSync(segmentPath(folder.journal, 7), bytes);
  const says = /0000000007\.segment: its format 99 comes from a newer version/;
  expectOneLine(trackside(folder.root, ['serve', '--port', '0']), says);
  expectOneLine(await tracksideHere(folder.root, ['verify']), says);
  const doctor = await tracksideHere(folder.root, ['doctor']);
  assert.equal(doctor.status, 1);
  assert.match(doctor.stdout, /FAIL {2}journal +segment 7: its format 99 comes from a newer version\n +→ \w/);
});

test('a bug keeps its stack, and is called a bug', () => {
  const { text, code } = explainFault(new TypeError('undefined is not a function'));
  assert.equal(code, 1);
  assert.match(text, /^TypeError: undefined is not a function\n +at .*\n[\s\S]*bug in Trackside/);
});
