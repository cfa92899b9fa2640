import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../../../test/support/run-here.ts';
import { makeFolder } from '../../control/test-control.ts';
import { dataFolder } from '../../files/data-folder.ts';
import { refuseNoInstallation } from './refuse-no-installation.ts';

const commands = [
  ['verify'],
  ['repair', '--yes'],
  ['website', 'list'],
  ['stats', 'example.com'],
  ['export', 'example.com', '--format', 'csv'],
  ['person', 'erase', 'example.com', 'ada', '--yes'],
  ['rebuild'],
  ['user', 'list'],
  ['backup', '/nowhere', '--forget'],
  ['doctor', '--forget', 'store-gone-1'],
];

test('a mistyped data folder is refused, and nothing is created', async (t) => {
  const empty = await makeFolder(t);
  const missing = join(empty, 'missing');
  for (const dataDir of [missing, empty])
    for (const words of commands) {
      const { code, stderr } = await runHere([...words, '--data-dir', dataDir]);
      const expected = `There is no installation in ${dataDir}. Name the data folder of the server with --data-dir.`;
      assert.deepEqual([code, stderr], [1, expected], words.join(' '));
    }
  assert.deepEqual(await readdir(empty), []);
});

test('a first website or user begins an installation, which other commands then use', async (t) => {
  const dataDir = await makeFolder(t);
  const added = await runHere(['website', 'add', 'example.com', '--data-dir', dataDir]);
  assert.equal(added.code, 0, added.stderr);
  const { code, stdout, stderr } = await runHere(['website', 'list', '--data-dir', dataDir]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /example\.com/);
  assert.equal(existsSync(dataFolder(dataDir).control), true);
});

test('a folder is not refused while a server starts there, or with a database elsewhere', async (t) => {
  const dataDir = await makeFolder(t);
  await refuseNoInstallation({ dataDir, databaseUrl: 'postgres://localhost/trackside' });
  await mkdir(dataFolder(dataDir).journalLock, { recursive: true });
  await refuseNoInstallation({ dataDir, databaseUrl: undefined });
});
