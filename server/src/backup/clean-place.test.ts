import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { BackupPlace } from './backup-place.ts';
import { cleanPlace } from './clean-place.ts';
import { findKnownDays } from './find-known-days.ts';
import { openFolderPlace } from './folder-place.ts';
import { chooseName, listManifests, type Manifest, nameOf, readManifest, writeManifest } from './manifest.ts';
import { removeUnfinished, writePiece } from './piece.ts';

async function openPlace(t: TestContext): Promise<BackupPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-place-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return openFolderPlace(folder);
}

const startedAt = (day: number) => Date.UTC(2026, 0, day, 3);

/** Writes a backup with one file in each folder. */
async function save(place: BackupPlace, day: number): Promise<Manifest> {
  const write = (folder: string, ending: string) =>
    writePiece(place, { folder, ending }, Buffer.from(`${ending} of day ${day}`));
  const records = await write('records/2026-01-01', 'jsonl');
  const manifest: Manifest = {
    format: 1,
    madeBy: 'test',
    installation: 'mine',
    startedAt: startedAt(day),
    finishedAt: startedAt(day) + 1,
    source: { storeUuid: 'a', lastRewrite: '', columns: [] },
    days: [
      {
        day: '2026-01-01',
        summary: '',
        pieces: [{ ...records, node: 'n', fromBatch: 1, toBatch: 1, records: 1, content: '' }],
      },
    ],
    journals: [{ worker: 1, segments: [{ segment: 1, piece: await write('journal', 'segment') }] }],
    control: await write('control', 'db'),
    secretKey: await write('control', 'key'),
    records: 1,
    bytes: 1,
  };
  await writeManifest(place, nameOf(manifest.startedAt), manifest);
  return manifest;
}

async function countPieces(place: BackupPlace): Promise<number> {
  const found = await Promise.all(['records', 'journal', 'control'].map((folder) => place.list(folder)));
  return found.flat().length;
}

test('removes what only older backups need, and nothing that a backup never wrote', async (t) => {
  const place = await openPlace(t);
  for (const day of [1, 2, 3]) await save(place, day);
  const others = [
    'records/2020-01-01/mine.txt',
    'records/mine.jsonl.zst',
    'journal/1.segment',
    'control/control.db',
    `control/old/${'a'.repeat(32)}.db.zst`,
  ];
  for (const path of others) await place.write(path, Buffer.from('mine'));
  assert.equal(await countPieces(place), 12 + others.length);
  const { backups } = await cleanPlace(place, { keep: 2 });
  assert.equal(backups, 1);
  assert.deepEqual(await listManifests(place), [nameOf(startedAt(2)), nameOf(startedAt(3))]);
  assert.equal(await countPieces(place), 8 + others.length);
  for (const path of others) assert.equal((await place.read(path))?.toString(), 'mine', path);
});

test('keeps all files while a backup is damaged, which counts for nothing', async (t) => {
  const place = await openPlace(t);
  for (const day of [1, 2, 3, 4]) await save(place, day);
  const damaged = `backups/${nameOf(startedAt(4))}.json`;
  await place.write(damaged, (await place.read(damaged))!.subarray(1));
  const source = { storeUuid: 'a', lastRewrite: '', columns: [] };
  const [known] = (await findKnownDays(place, source)).values();
  const newest = await readManifest(place, nameOf(startedAt(3)));
  assert.deepEqual(known, newest.days[0], 'the next backup uses the newest one that is whole');

  assert.deepEqual(await cleanPlace(place, { keep: 2 }), {
    backups: 1,
    bytes: 0,
    damaged: [nameOf(startedAt(4))],
  });
  assert.deepEqual(await listManifests(place), [2, 3, 4].map(startedAt).map(nameOf));
  assert.equal(await countPieces(place), 16);
  await place.remove(damaged);
  const { backups, bytes } = await cleanPlace(place, { keep: 2 });
  assert.deepEqual([backups, bytes > 0, await countPieces(place)], [0, true, 8]);
});

test('a new backup comes after one that was made while the clock was ahead', async (t) => {
  const place = await openPlace(t);
  assert.equal(await chooseName(place, startedAt(2)), '2026-01-02T03-00-00Z');
  await save(place, 1);
  assert.equal(await chooseName(place, startedAt(2)), '2026-01-02T03-00-00Z');
  await place.write('backups/2026-12-31T23-59-59Z.json', Buffer.from(''));
  assert.equal(await chooseName(place, startedAt(2)), '2027-01-01T00-00-00Z');
});

test('removes what killed backups have left, and no other unfinished files', async (t) => {
  const place = await openPlace(t);
  const { control } = await save(place, 1);
  const others = ['control/download.part', 'records/2020-01-01/mine.part', 'erasures/1-7.json.part'];
  for (const path of [`${control.path}.part`, ...others]) await place.write(path, Buffer.from('x'));
  await removeUnfinished(place);
  assert.equal(await place.read(`${control.path}.part`), undefined);
  for (const path of [control.path, ...others]) assert.ok(await place.read(path), path);
});
