import assert from 'node:assert/strict';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { dataFolder, ownKeyFile } from '../src/files/data-folder.ts';
import { testLong } from './support/long-form.ts';
import { runHere } from './support/run-here.ts';
import { createServerProcess } from './support/spawn-server.ts';
import { waitFor } from './support/wait-for.ts';

/** An installation of its own for each test, with one website and a backup. It takes seconds. */
async function openBackup(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'trackside-'));
  t.after(() => rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const [one, two, place] = ['one', 'two', 'place'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const run = (dataDir: string, ...words: string[]) => runHere([...words, '--data-dir', dataDir]);
  const succeed = async (dataDir: string, ...words: string[]) => {
    const { code, stdout, stderr } = await run(dataDir, ...words);
    assert.equal(code, 0, `${words.join(' ')}: ${stderr}${stdout}`);
    return stdout;
  };
  const refuse = async (dataDir: string, ...words: string[]) => {
    const { code, stdout, stderr } = await run(dataDir, ...words);
    assert.equal(code, 1, `${words.join(' ')}: ${stdout}`);
    return stderr;
  };
  await succeed(one, 'website', 'add', 'example.com');
  const backUp = async (): Promise<string> =>
    JSON.parse(await succeed(one, 'backup', place, '--json')).backup;
  return { root, one, two, place, succeed, refuse, backUp, oldest: await backUp() };
}

/** What a restore leaves that was interrupted. */
async function interrupt(dataDir: string): Promise<void> {
  await mkdir(dataFolder(dataDir).restoring, { recursive: true });
  await mkdir(dataFolder(dataDir).journal);
}

test('a restore keeps every key file, whichever one it is given', async (t) => {
  const { root, one, two, place, succeed, refuse } = await openBackup(t);
  const old = join(root, 'key.old');
  await copyFile(ownKeyFile(one), old);
  await succeed(one, 'secret-key', 'rotate');
  await mkdir(two);
  await copyFile(ownKeyFile(one), ownKeyFile(two));
  const key = await readFile(ownKeyFile(two), 'utf8');
  assert.match(
    await refuse(two, 'restore', place),
    /Name the right file with --secret-key-file\. A backup from before the key was rotated needs the old key/,
  );
  const spare = join(two, 'secret.key.spare');
  await copyFile(old, spare);
  assert.match(
    await succeed(two, 'restore', place, '--secret-key-file', old),
    new RegExp(`start it with --secret-key-file ${old} too`),
  );
  for (const [file, from] of [
    [ownKeyFile(two), key],
    [spare, await readFile(old, 'utf8')],
  ] as const)
    assert.equal(await readFile(file, 'utf8'), from);
  assert.match(await succeed(two, 'website', 'list', '--secret-key-file', old), /example\.com/);
});

testLong('a restore that is repeated with a wrong key keeps the right one', async (t) => {
  const { root, one, two, place, succeed, refuse } = await openBackup(t);
  const other = join(root, 'other');
  await succeed(other, 'website', 'add', 'example.com');
  await interrupt(two);
  await copyFile(ownKeyFile(one), ownKeyFile(two));
  await refuse(two, 'restore', place, '--secret-key-file', ownKeyFile(other));
  assert.doesNotMatch(await succeed(two, 'restore', place), /--secret-key-file/);
  assert.equal(await readFile(ownKeyFile(two), 'utf8'), await readFile(ownKeyFile(one), 'utf8'));
});

async function listFiles(place: string, folder: string): Promise<string[]> {
  const paths = await readdir(place, { recursive: true });
  return paths.filter((path) => path.startsWith(`${folder}/`) && path.endsWith('.zst'));
}

testLong(
  'a restore takes the backup before one whose control database is damaged, and says so',
  async (t) => {
    const { one, two, place, succeed, refuse, backUp, oldest } = await openBackup(t);
    await mkdir(two);
    await copyFile(ownKeyFile(one), ownKeyFile(two));
    const [control] = await listFiles(place, 'control');
    await succeed(one, 'website', 'add', 'example.org');
    const newer = await backUp();
    const added = (await listFiles(place, 'control')).find((path) => path !== control);
    await writeFile(join(place, added!), 'damaged');
    assert.match(
      await refuse(two, 'restore', place, '--at', newer),
      new RegExp(
        `^${added} in ${place} is damaged\\. The backup ${newer} can't be restored\\. .* run: ` +
          `trackside restore ${place} --at ${oldest} --data-dir ${two}\n.*${place} --verify`,
      ),
    );
    assert.match(
      await succeed(two, 'restore', place),
      new RegExp(
        `^Newer backups are damaged and were not used: ${newer}\\. .*\nRestored 0 records of ${oldest}`,
      ),
    );
  },
);

testLong(
  'a restore that comes upon a damaged file names the newest backup that does without it',
  async (t) => {
    const { one, two, place, succeed, refuse, backUp, oldest } = await openBackup(t);
    await succeed(one, 'demo', '--days', '1', '--visits-per-day', '1');
    const [newer, newest] = [await backUp(), await backUp()];
    const [shared] = await listFiles(place, 'records');
    await writeFile(join(place, shared!), 'damaged');
    const words = ['restore', place, '--secret-key-file', ownKeyFile(one)];
    assert.match(
      await refuse(two, ...words),
      new RegExp(
        `^${shared} in .*The backup ${newest} can't be restored.* --at ${oldest} .*` +
          `--secret-key-file ${ownKeyFile(one)}\n`,
      ),
    );
    await writeFile(join(place, 'backups', `${oldest}.json`), 'damaged');
    assert.match(await refuse(two, ...words, '--at', newer), /No older backup can do without it/);
  },
);

testLong('says what to do when the data folder or the place is not there', async (t) => {
  const { root, one, place, refuse } = await openBackup(t);
  const dangling = join(root, 'dangling');
  await symlink(join(root, 'nowhere'), dangling);
  assert.match(
    await refuse(dangling, 'restore', place),
    /dangling: cannot create the data folder .*Choose another --data-dir/,
  );
  assert.match(
    await refuse(one, 'backup', join(root, 'missing'), '--list'),
    /There is no backup in .*missing\. Check the path, and that its disk is mounted/,
  );
  assert.match(await refuse(one, 'backup', place, '--list', '--verify'), /Choose one of --list and --verify/);
});

testLong('a server that waits for a restore is visible, and starts when it is finished', async (t) => {
  const { one, two, place, succeed, refuse } = await openBackup(t);
  await interrupt(two);
  await copyFile(ownKeyFile(one), ownKeyFile(two));
  const server = createServerProcess({ dataDir: two });
  t.after(() => server.end('SIGKILL'));
  server.launch();
  await waitFor('the server to wait', () => server.output.join('').includes('503: a restore into'));
  const askHealth = async () => {
    const response = await fetch(`${server.origin()}/health`);
    return { status: response.status, text: await response.text() };
  };
  const { status, text } = await askHealth();
  assert.equal(status, 503);
  assert.match(text, /run `trackside restore` again if it was interrupted, and the server starts/);
  const { code, stdout } = await runHere(['doctor', '--data-dir', two]);
  assert.equal(code, 1);
  assert.match(
    stdout,
    new RegExp(`FAIL {2}server {7}running at ${server.origin()}, but refusing all requests until a restore`),
  );
  assert.match(await refuse(two, 'website', 'list'), /A restore into .* is not finished/);
  assert.match(
    await succeed(two, 'restore', place),
    /one that is already waiting for the restore starts automatically/,
  );
  await waitFor(
    'the server to start',
    async () => (await askHealth().catch(() => undefined))?.status === 200,
  );
  assert.match(await succeed(two, 'website', 'list'), /example\.com/);
});

testLong('a copy to practice on leaves the place of the real server alone', async (t) => {
  const { root, one, two, place, succeed, refuse, oldest } = await openBackup(t);
  const key = ['--secret-key-file', ownKeyFile(one)];
  const said = await succeed(two, 'restore', place, ...key, '--practice');
  assert.doesNotMatch(said, /goes on with/);
  await succeed(two, 'person', 'erase', 'example.com', 'someone', '--yes', ...key);
  assert.ok(!(await readdir(place)).includes('erasures'));
  assert.match(await refuse(two, 'backup', place, '--keep', '1', ...key), /is a copy to practice on/);
  const own = join(root, 'own');
  for (const _twice of [1, 2]) await succeed(two, 'backup', own, ...key);
  const { backups } = JSON.parse(await succeed(one, 'backup', place, '--list', '--json'));
  assert.deepEqual(
    backups.map(({ backup }: { backup: string }) => backup),
    [oldest],
  );
  const three = join(root, 'three');
  assert.match(await succeed(three, 'restore', place, ...key), /goes on with .*--practice instead/);
  await succeed(three, 'person', 'erase', 'example.com', 'someone', '--yes', ...key);
  assert.equal((await readdir(join(place, 'erasures'))).length, 1);
});
