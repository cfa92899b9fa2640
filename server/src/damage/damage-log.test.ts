import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { type Damage, forgetDamage, openDamageLog, readDamage, settleDamage } from './damage-log.ts';

const log = pino({ level: 'silent' });
const foundAtMs = Date.parse('2026-03-10T09:00:00Z');
const clock = { now: () => foundAtMs, monotonicMs: () => 0 };
const frames: Omit<Damage, 'foundAt'> = {
  id: 'journal-frames-7-100',
  kind: 'journal-frames',
  says: '12 bytes are damaged',
  todo: 'check the disk',
};

async function folderOf(t: TestContext): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'trackside-'));
  t.after(() => rm(parent, { recursive: true, force: true }));
  return join(parent, 'damage');
}

test('knows nothing about a folder that does not exist', async (t) => {
  assert.deepEqual(await readDamage(await folderOf(t)), []);
});

test('remembers damage for the next process, once, in files that only its user can read', async (t) => {
  const folder = await folderOf(t);
  const damages = await openDamageLog({ folder, clock, log });
  await damages.report(frames);
  await damages.report(frames);
  const known = [{ ...frames, foundAt: '2026-03-10T09:00:00.000Z' }];
  assert.deepEqual(await damages.list(), known);
  assert.deepEqual(await (await openDamageLog({ folder, clock, log })).list(), known);
  assert.deepEqual(await readdir(folder), ['journal-frames-7-100.json']);
  assert.equal((await stat(join(folder, 'journal-frames-7-100.json'))).mode & 0o077, 0);
});

test('forgets only what was repaired', async (t) => {
  const folder = await folderOf(t);
  const damages = await openDamageLog({ folder, clock, log });
  await damages.report(frames);
  await damages.report({ ...frames, id: 'store-part-1', kind: 'store-part' });
  await damages.settle(({ kind }) => kind === 'store-part');
  assert.deepEqual(
    (await damages.list()).map(({ id }) => id),
    ['journal-frames-7-100'],
  );
  assert.equal(await settleDamage(folder, 'store-part-1'), false);
  assert.equal(await settleDamage(folder, '../damage/journal-frames-7-100'), false);
  assert.equal(await settleDamage(folder, 'journal-frames-7-100'), true);
  assert.deepEqual(await damages.list(), []);
});

test('does not add damage again that an operator has forgotten', async (t) => {
  const folder = await folderOf(t);
  const damages = await openDamageLog({ folder, clock, log });
  await damages.report(frames);
  assert.equal(await forgetDamage(folder, frames.id), true);
  await damages.report(frames);
  await (await openDamageLog({ folder, clock, log })).report(frames);
  assert.deepEqual(await damages.list(), []);
  assert.equal(await forgetDamage(folder, frames.id), false);
  // Another store can have a part with the same name.
  await damages.report({ ...frames, id: 'store-part-1', kind: 'store-part' });
  assert.equal(await forgetDamage(folder, 'store-part-1'), true);
  await damages.report({ ...frames, id: 'store-part-1', kind: 'store-part' });
  assert.equal((await damages.list()).length, 1);
});

test('reports damage that cannot be written down, as long as it runs', async (t) => {
  const folder = await folderOf(t);
  await writeFile(folder, 'a file where the folder should be');
  const damages = await openDamageLog({ folder, clock, log });
  await damages.report(frames);
  assert.equal((await damages.list()).length, 1);
});

test('does not lose a note that is itself damaged', async (t) => {
  const folder = await folderOf(t);
  const damages = await openDamageLog({ folder, clock, log });
  await damages.report(frames);
  await chmod(join(folder, 'journal-frames-7-100.json'), 0o600);
  await writeFile(join(folder, 'journal-frames-7-100.json'), '\0\0\0');
  assert.match((await readDamage(folder))[0]!.says, /cannot be read/);
});
