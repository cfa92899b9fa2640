import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { makeFolder } from '../control/test-control.ts';
import { localDisk } from './disk.ts';
import { readPastFaults, readTextPastFaults } from './read-past-faults.ts';
import { failToRead } from './test-faulty-disk.ts';

const sectorBytes = 4096;
const bytes = Buffer.alloc(5 * sectorBytes + 100, 'the bytes of a file, ');
const damaged = Buffer.from(bytes).fill(0, 2 * sectorBytes, 3 * sectorBytes);

async function makeFile(t: TestContext): Promise<string> {
  const path = join(await makeFolder(t), 'file');
  await writeFile(path, bytes);
  return path;
}

async function readFrom(path: string, position: number, length: number): Promise<Buffer> {
  const file = await readPastFaults(localDisk).open(path, 'r');
  try {
    const buffer = Buffer.alloc(length + 10, 'x');
    const { bytesRead } = await file.read(buffer, 10, length, position);
    return buffer.subarray(10, 10 + bytesRead);
  } finally {
    await file.close();
  }
}

test('reads everything around a sector that the disk cannot read', async (t) => {
  const path = await makeFile(t);
  failToRead(t, { path, from: 2 * sectorBytes + 512, to: 2 * sectorBytes + 1024 });
  const lengths = { 0: 100_000, 77: 3 * sectorBytes, 8800: 10, 12300: 100 };
  const all = Object.entries(lengths).map(async ([position, length]) => {
    const from = Number(position);
    assert.deepEqual(await readFrom(path, from, length), damaged.subarray(from, from + length), position);
  });
  const text = readTextPastFaults(localDisk, path);
  await Promise.all(all);
  assert.equal(await text, damaged.toString());
});

test('gives nothing up that can be read in a moment', async (t) => {
  const path = await makeFile(t);
  failToRead(t, { path, from: 0, to: 100_000, times: 3 });
  assert.deepEqual(await readFrom(path, 0, 100_000), bytes);
});

test('other faults stay faults', async (t) => {
  const path = join(await makeFolder(t), 'missing');
  await assert.rejects(readFrom(path, 0, 10), { code: 'ENOENT' });
  await assert.rejects(readTextPastFaults(localDisk, path), { code: 'ENOENT' });
});
