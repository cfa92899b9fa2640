import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CommandError } from '../command.ts';
import { inWords, writeWholeFile } from './write-whole-file.ts';

const root = mkdtempSync(join(tmpdir(), 'trackside-file-'));
after(() => rmSync(root, { recursive: true, force: true }));

let lastFolder = 0;
function emptyFolder(): string {
  lastFolder += 1;
  return mkdtempSync(join(root, `${lastFolder}-`));
}

test('gives a file its name once it is complete', async () => {
  const folder = emptyFolder();
  const path = join(folder, 'out.csv');
  const result = await writeWholeFile(path, async (sink) => {
    await sink.write(Buffer.from('one\n'));
    assert.deepEqual(await readdir(folder), ['out.csv.part']);
    await sink.write(Buffer.from('two\n'));
    return 'done';
  });
  assert.equal(result, 'done');
  assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\n');
  assert.deepEqual(await readdir(folder), ['out.csv']);
  assert.equal(statSync(path).mode & 0o777, 0o600);
});

test('leaves nothing behind when the work fails, and passes its error on', async () => {
  const folder = emptyFolder();
  const fault = new Error('the engine went away');
  const writing = writeWholeFile(join(folder, 'out.csv'), async (sink) => {
    await sink.write(Buffer.from('one\n'));
    throw fault;
  });
  await assert.rejects(writing, (error) => error === fault);
  assert.deepEqual(await readdir(folder), []);
});

test('does not touch a file that already exists', async () => {
  const path = join(emptyFolder(), 'out.csv');
  writeFileSync(path, 'mine');
  let hasStarted = false;
  const writing = writeWholeFile(path, async () => {
    hasStarted = true;
  });
  await assert.rejects(writing, /out\.csv: this file already exists/);
  assert.deepEqual([readFileSync(path, 'utf8'), hasStarted], ['mine', false]);
});

test('does not touch a file that was created in the meantime', async () => {
  const path = join(emptyFolder(), 'out.csv');
  const writing = writeWholeFile(path, async () => writeFileSync(path, 'mine'));
  await assert.rejects(writing, CommandError);
  assert.deepEqual([readFileSync(path, 'utf8'), existsSync(`${path}.part`)], ['mine', false]);
});

test('does not write into the part of another export', async () => {
  const path = join(emptyFolder(), 'out.csv');
  writeFileSync(`${path}.part`, 'of another');
  await assert.rejects(
    writeWholeFile(path, async () => {}),
    /out\.csv\.part: this file already exists/,
  );
  assert.equal(readFileSync(`${path}.part`, 'utf8'), 'of another');
});

test('explains that the folder does not exist', async () => {
  const path = join(emptyFolder(), 'nowhere', 'out.csv');
  await assert.rejects(
    writeWholeFile(path, async () => {}),
    { name: 'CommandError', message: `${path}.part: there is no such folder.` },
  );
});

test('explains that the disk is full', () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  assert.equal(inWords('out.csv', error).message, 'out.csv: the disk is full.');
});
