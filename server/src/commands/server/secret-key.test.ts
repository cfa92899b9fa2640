import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { readConfig } from '../../config/read-config.ts';
import { createFakeClock, makeFolder, openTestControl } from '../../control/test-control.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { takeFolderLock } from '../../files/folder-lock.ts';
import { writeMark } from '../../files/mark-file.ts';
import { withControl } from '../parts/with-control.ts';
import { secretKeyCommands } from './secret-key.ts';

const clock = createFakeClock('2026-03-10T09:00:00Z');

async function prepare(t: TestContext) {
  const dataDir = await makeFolder(t);
  const folder = dataFolder(dataDir);
  await mkdir(folder.journal, { recursive: true });
  const secretKeyFile = join(folder.control, 'secret-key');
  const config = readConfig({ 'data-dir': dataDir, 'secret-key-file': secretKeyFile }, {});
  const run = (flags: Record<string, string> = {}) =>
    secretKeyCommands['secret-key rotate']!.run({
      name: 'secret-key rotate',
      config,
      clock,
      words: [],
      flags,
      lists: {},
      progress: () => {},
      print: () => {},
      isColored: false,
    });
  const addWebsite = async () => {
    const { control } = await openTestControl(t, { folder: folder.control, clock });
    const { apiKey } = await control.websites.add({ domain: 'a.test', timezone: 'UTC', contingent: null });
    await control.close();
    return apiKey;
  };
  return { folder, config, secretKeyFile, run, addWebsite };
}

test('replaces the key file, and says what to do next', async (t) => {
  const { config, secretKeyFile, run, addWebsite } = await prepare(t);
  const apiKey = await addWebsite();
  const before = await readFile(secretKeyFile, 'utf8');
  const output = await run();
  assert.deepEqual(output?.json, { file: secretKeyFile, values: 2, wasDone: false });
  assert.match(output!.text, /encrypted with the key in .*secret-key \(2 values\)\.\nKeep a copy of it/);
  assert.notEqual(await readFile(secretKeyFile, 'utf8'), before);
  const shown = await withControl({ config, clock }, (control) =>
    control.transact(async ({ websites }) => ({
      result: await websites.apiKey(1),
      entries: [{ actor: 'command line', action: 'website.key-revealed', subject: 'a.test' }],
    })),
  );
  assert.equal(shown, apiKey);
});

test('refuses while a server runs, and changes nothing', async (t) => {
  const { folder, secretKeyFile, run, addWebsite } = await prepare(t);
  await addWebsite();
  const before = await readFile(secretKeyFile, 'utf8');
  const lock = takeFolderLock(folder.nodeLock);
  await assert.rejects(run(), /A server is running on .*\. Stop it, then run the command again/);
  lock?.release();
  assert.equal(await readFile(secretKeyFile, 'utf8'), before);
});

test('refuses a folder without a database, and one of another installation', async (t) => {
  const { folder, secretKeyFile, run, addWebsite } = await prepare(t);
  await assert.rejects(run(), /There is no control database in .*control yet/);
  await addWebsite();
  await writeMark(folder.installation, '0'.repeat(32));
  await assert.rejects(run(), /belongs to a different installation/);
  await assert.rejects(run({ 'new-key-file': secretKeyFile }), /--new-key-file: expected another file/);
});
