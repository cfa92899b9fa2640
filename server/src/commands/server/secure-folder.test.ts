import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeFolder, openTestControl } from '../../control/test-control.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { workerFolder } from '../../files/worker-folders.ts';
import { secureFolder } from './secure-folder.ts';

/** Creates the files of a data folder as a server leaves them, as far as they matter here. */
async function makeDataFolder(t: TestContext) {
  const folder = dataFolder(join(await makeFolder(t), 'data'));
  await mkdir(folder.root, { mode: 0o700 });
  await chmod(folder.root, 0o700);
  const { control } = await openTestControl(t, { folder: folder.control });
  await control.close();
  const secretKeyFile = join(folder.root, 'secret.key');
  const files = {
    key: secretKeyFile,
    database: join(folder.control, 'control.db'),
    segment: join(folder.journal, '0000000001.segment'),
    note: join(folder.damage, 'a.json'),
    secondSegment: join(workerFolder(folder.root, 2).journal, '0000000001.segment'),
    nodeLock: folder.nodeLock,
    storeLock: `${folder.store}.lock`,
    socket: folder.engineSocket,
  };
  const { journal: secondJournal } = workerFolder(folder.root, 2);
  for (const inside of [folder.journal, folder.damage, folder.store, secondJournal])
    await mkdir(inside, { recursive: true, mode: 0o700 });
  for (const path of Object.values(files)) await writeFile(path, '', { mode: 0o600, flag: 'a' });
  const { uid } = await stat(folder.root);
  const lines: string[] = [];
  const log = { warn: (text: string) => lines.push(text) };
  // Run as root, the test also gets a line about root, which has nothing to do with the modes.
  const aboutModes = () => lines.filter((line) => line.includes('other users'));
  const secure = (as = uid) => secureFolder({ folder, secretKeyFile, uid: as, log: log as never });
  return { folder, files, uid, secure, lines, aboutModes };
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test('says nothing about a private folder', async (t) => {
  const { secure, aboutModes } = await makeDataFolder(t);
  await secure();
  assert.deepEqual(aboutModes(), []);
});

test('makes everything private that was open, and says so in one line', async (t) => {
  const { folder, files, secure, aboutModes } = await makeDataFolder(t);
  const second = workerFolder(folder.root, 2);
  const ofSecond = [folder.workers, second.root, second.journal];
  const folders = [folder.root, folder.control, folder.journal, folder.store, folder.damage, ...ofSecond];
  for (const path of Object.values(files)) await chmod(path, 0o666);
  for (const path of folders) await chmod(path, 0o755);
  await secure();
  for (const path of Object.values(files)) assert.equal(await modeOf(path), '600', path);
  for (const path of folders) assert.equal(await modeOf(path), '700', path);
  const [line, ...more] = aboutModes();
  assert.deepEqual(more, []);
  assert.match(
    line!,
    /could open \S+secret\.key \(mode 0666\) and 1\d more in the data folder; that is fixed/,
  );
});

test('keeps a key that the group may read', async (t) => {
  const { files, secure, aboutModes } = await makeDataFolder(t);
  await chmod(files.key, 0o640);
  await secure();
  assert.equal(await modeOf(files.key), '640');
  assert.deepEqual(aboutModes(), []);
});

for (const name of ['key', 'database'] as const) {
  test(`refuses to start when the ${name} of another user is open to everyone`, async (t) => {
    const { files, uid, secure } = await makeDataFolder(t);
    await chmod(files[name], 0o604);
    await assert.rejects(secure(uid + 1), {
      name: 'CommandError',
      message: new RegExp(`${files[name]} has mode 0604: .*chmod 0600 ${files[name]}$`),
    });
    assert.equal(await modeOf(files[name]), '604');
  });
}

test('warns about open files of another user, and starts', async (t) => {
  const { folder, uid, secure, lines, aboutModes } = await makeDataFolder(t);
  await chmod(folder.root, 0o750);
  await secure(uid + 1);
  assert.equal(await modeOf(folder.root), '750');
  assert.match(aboutModes().join('\n'), new RegExp(`can open ${folder.root} \\(mode 0750\\): chmod 0700`));
  assert.ok(lines.some((line) => line.includes(`belongs to the user with the ID ${uid}`)));
});

test('does not change the mode of a folder that has other content too', async (t) => {
  const { folder, files, secure, aboutModes } = await makeDataFolder(t);
  await writeFile(join(folder.root, 'index.html'), '');
  await chmod(folder.root, 0o755);
  await chmod(files.nodeLock, 0o644);
  await secure();
  assert.equal(await modeOf(folder.root), '755');
  assert.equal(await modeOf(files.nodeLock), '600');
  assert.equal(aboutModes().length, 2);
});

test('does not follow a link that somebody has put into an open folder', async (t) => {
  const { folder, secure } = await makeDataFolder(t);
  const target = join(await makeFolder(t), 'elsewhere');
  await mkdir(target);
  await chmod(target, 0o755);
  const link = join(folder.journal, 'link');
  await symlink(target, link);
  await secure();
  assert.equal(await modeOf(target), '755');
  assert.ok((await lstat(link)).isSymbolicLink());
});
