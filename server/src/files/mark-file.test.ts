import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { makeFolder } from '../control/test-control.ts';
import { readMark, writeMark } from './mark-file.ts';

test('reads what was written, even if the folder did not exist', async (t) => {
  const path = join(await makeFolder(t), 'data', 'installation');
  assert.equal(await readMark(path), undefined);
  await writeMark(path, 'f00d');
  assert.equal(await readMark(path), 'f00d');
  await writeMark(path, 'cafe');
  assert.equal(await readMark(path), 'cafe');
  assert.deepEqual(await readdir(join(path, '..')), ['installation']);
});

test('any flipped bit or truncation makes it unknown, and never another one', async (t) => {
  const path = join(await makeFolder(t), 'installation');
  await writeMark(path, '0123456789abcdef');
  const whole = await readFile(path);
  for (let bit = 0; bit < whole.length * 8; bit += 1) {
    const bytes = Buffer.from(whole);
    bytes[bit >> 3]! ^= 1 << (bit & 7);
    await writeFile(path, bytes);
    const read = await readMark(path);
    assert.ok(read === undefined || read === '0123456789abcdef', `bit ${bit}: ${read}`);
  }
  for (let length = 0; length < whole.length - 1; length += 1) {
    await writeFile(path, whole.subarray(0, length));
    assert.equal(await readMark(path), undefined, `cut at ${length}`);
  }
});
