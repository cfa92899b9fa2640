import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../../test/support/run-here.ts';
import { makeFolder } from '../control/test-control.ts';

test('every command warns about a misspelled variable, beside its result', async (t) => {
  const dataDir = join(await makeFolder(t), 'data');
  const env = { TRACKSIDE_DATADIR: '/elsewhere' };
  const words = ['website', 'add', 'example.com', '--json', '--data-dir', dataDir];
  const { code, stdout, stderr } = await runHere(words, env);
  assert.deepEqual([code, JSON.parse(stdout).domain], [0, 'example.com']);
  assert.equal(
    stderr,
    'trackside: TRACKSIDE_DATADIR is not a setting of this version and has no effect. ' +
      'Did you mean TRACKSIDE_DATA_DIR?\n',
  );
});

test('answers an unknown command in one line that says where to look', async () => {
  for (const [words, help] of [
    [['websites'], '--help'],
    [['websites', '--help'], '--help'],
    [['website'], 'website --help'],
    [['website', 'remove', 'a.test'], 'website --help'],
  ] as const) {
    const { code, stdout, stderr } = await runHere([...words]);
    assert.deepEqual([code, stdout], [2, '']);
    const name = words.slice(0, 2).join(' ');
    assert.equal(
      stderr,
      `trackside: unknown command "${name}". Run \`trackside ${help}\` to list the commands.\n`,
    );
  }
});

test('lists the commands that begin with a word', async () => {
  const { code, stdout, stderr } = await runHere(['token', '--help']);
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(
    stdout.match(/^ {2}\S+ \S+/gm)?.map((line) => line.trim()),
    ['token add', 'token list', 'token revoke'],
  );
});
