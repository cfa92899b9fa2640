import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { BackupPlace } from './backup-place.ts';
import { createErasureNoter } from './create-erasure-noter.ts';
import { dropErasureNotes, noteErasure, readErasureNotes } from './erasure-notes.ts';
import { listManifests, readManifest } from './manifest.ts';
import { namePlace, openPlace } from './open-place.ts';
import { readPiece, writePiece } from './piece.ts';
import { markPlace } from './place-mark.ts';
import { startTestS3 } from './test-s3.ts';
import { verifyBackups } from './verify-backup.ts';

const noAccess = {
  s3Endpoint: undefined,
  s3Region: 'x',
  s3AccessKeyId: undefined,
  s3SecretAccessKey: undefined,
};

async function makeFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trackside-place-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const kinds: [string, (t: TestContext) => Promise<BackupPlace>][] = [
  ['a folder', async (t) => openPlace(await makeFolder(t), noAccess)],
  [
    'a bucket',
    async (t) => {
      const { access } = await startTestS3(t, 'my.bucket');
      return openPlace('s3://my.bucket/some/where (1)', access);
    },
  ],
];

for (const [name, open] of kinds) {
  test(`${name} keeps files, lists them and removes them`, async (t) => {
    const place = await open(t);
    assert.equal(await place.read('records/none'), undefined);
    assert.deepEqual(await place.list('records'), []);
    for (const path of ['records/2026-01-02/a', 'records/2026-01-02/b', 'records/2026-01-03/a', 'control/a'])
      await place.write(path, Buffer.from(path));
    await place.write('control/a', Buffer.from('other'));
    assert.equal((await place.read('control/a'))?.toString(), 'other');
    assert.deepEqual(await place.list('records'), [
      { path: 'records/2026-01-02/a', bytes: 20 },
      { path: 'records/2026-01-02/b', bytes: 20 },
      { path: 'records/2026-01-03/a', bytes: 20 },
    ]);
    await place.remove('records/2026-01-02/a');
    await place.remove('records/none');
    assert.equal((await place.list('records')).length, 2);
  });

  test(`${name} tells when a file is not what was written`, async (t) => {
    const place = await open(t);
    const piece = await writePiece(place, { folder: 'records', ending: 'x' }, Buffer.from('some content'));
    assert.equal((await readPiece(place, piece)).toString(), 'some content');
    const bytes = (await place.read(piece.path))!;
    for (const wrong of [bytes.subarray(1), Buffer.concat([bytes, bytes]), Buffer.alloc(0)]) {
      await place.write(piece.path, wrong);
      await assert.rejects(readPiece(place, piece), /is damaged\. Use another backup/);
    }
    await place.remove(piece.path);
    await assert.rejects(readPiece(place, piece), /is missing from/);
    await place.write('backups/2026-01-02T03-04-05Z.json', Buffer.from('{"format":1}\nwrong\n'));
    assert.deepEqual(await listManifests(place), ['2026-01-02T03-04-05Z']);
    await assert.rejects(readManifest(place, '2026-01-02T03-04-05Z'), /is damaged/);
    await assert.rejects(readManifest(place, '2026-01-02T03-04-06Z'), /There is no backup/);
  });

  test(`${name} belongs to one installation`, async (t) => {
    const place = await open(t);
    await markPlace(place, 'mine');
    await markPlace(place, 'mine');
    await assert.rejects(markPlace(place, 'yours'), /holds backups of another installation/);
    await place.write('trackside-backups.json', Buffer.alloc(30));
    await assert.rejects(
      markPlace(place, 'mine'),
      /^OperatorError: trackside-backups\.json in .* is damaged.*\{"installation":"mine"\}$/,
    );
  });

  test(`${name} with other files is refused and left alone`, async (t) => {
    const place = await open(t);
    await place.write('photos/2020.jpg', Buffer.from('x'));
    await assert.rejects(markPlace(place, 'mine'), /is not empty.*Choose an empty folder/);
    assert.equal(await place.read('trackside-backups.json'), undefined);
  });
}

test('a folder leaves no half of a file, and is for its owner only', async (t) => {
  const folder = await makeFolder(t);
  const place = openPlace(join(folder, 'new', 'place'), noAccess);
  await place.write('records/a/b', Buffer.from('x'));
  assert.deepEqual(await readdir(join(folder, 'new', 'place', 'records', 'a')), ['b']);
  assert.equal((await stat(join(folder, 'new', 'place', 'records', 'a', 'b'))).mode & 0o777, 0o600);
  assert.equal((await stat(join(folder, 'new', 'place'))).mode & 0o777, 0o700);
  // A process that was killed leaves this behind.
  await writeFile(join(folder, 'new', 'place', 'records', 'a', 'c.part'), 'x');
  assert.equal((await place.list('records')).length, 1);
  const lock = place.lock();
  assert.ok(lock);
  lock.release();
});

test('a folder on a full disk is named', {
  skip: !existsSync('/dev/full') && 'this system has no /dev/full',
}, async (t) => {
  const folder = await makeFolder(t);
  await symlink('/dev/full', join(folder, 'piece.part'));
  const written = openPlace(folder, noAccess).write('piece', Buffer.from('a'));
  await assert.rejects(written, { message: new RegExp(`^The disk is full: ${folder} cannot be written\\.`) });
});

test('what an empty folder or bucket has by itself makes it no other place', async (t) => {
  const folder = await makeFolder(t);
  await mkdir(join(folder, 'lost+found'));
  for (const name of ['lock', 'trackside-backups.json.part']) await writeFile(join(folder, name), '');
  await markPlace(openPlace(folder, noAccess), 'mine');
  const { access, files } = await startTestS3(t, 'bucket');
  files.set('new/', Buffer.alloc(0)).set('other/photo.jpg', Buffer.from('x'));
  await markPlace(openPlace('s3://bucket/new', access), 'mine');
  await assert.rejects(markPlace(openPlace('s3://bucket', access), 'mine'), /is not empty/);
});

test('a bucket says why it refuses, and is asked again when it is busy', async (t) => {
  const { access, failures, files } = await startTestS3(t, 'bucket');
  const place = openPlace('s3://bucket', access);
  failures.push(503, 500);
  await place.write('a', Buffer.from('x'));
  assert.deepEqual([...files.keys()], ['a']);
  const wrongKey = openPlace('s3://bucket', { ...access, s3SecretAccessKey: 'wrong' });
  await assert.rejects(
    wrongKey.write('a', Buffer.from('y')),
    /refused to write a: 403 \(SignatureDoesNotMatch\)/,
  );
  const other = openPlace('s3://other/prefix', access);
  await assert.rejects(other.read('a'), /there is no such bucket/);
  await assert.rejects(other.list('a'), /refused to list its files: 404 \(NoSuchBucket\)/);
  assert.throws(() => openPlace('s3://bucket', noAccess), /set TRACKSIDE_S3_ACCESS_KEY_ID/);
  assert.throws(() => openPlace('s3:///x', access), /Expected s3:\/\/bucket\/prefix/);
  const gone = openPlace('s3://bucket', { ...access, s3Endpoint: 'http://127.0.0.1:1' });
  await assert.rejects(gone.read('a'), /the bucket does not answer/);
});

test('names a folder by its whole path', () => {
  assert.equal(namePlace('/a/b/../c/'), '/a/c');
  assert.equal(namePlace('s3://bucket/prefix/'), 's3://bucket/prefix');
  for (const other of ['ftp://host', 's3:bucket/prefix', 'root@host:/srv/backups'])
    assert.throws(() => namePlace(other), /^OperatorError: Expected a folder or s3/);
  assert.equal(namePlace('/a/b:c'), '/a/b:c');
  assert.throws(() => namePlace(''), /Expected a folder or s3:\/\/bucket\/prefix, got ""/);
});

const erasure = (receivedBefore: number, visits: number[] = []) => ({
  websiteId: 1,
  visitorId: '7',
  receivedBefore,
  appliedBefore: receivedBefore,
  visits: visits.map((at) => ({ deviceId: '8', receivedFrom: at, receivedUntil: at + 1 })),
});

test('notes of erasures keep what was found before, until no backup can have the person', async (t) => {
  const place = openPlace(await makeFolder(t), noAccess);
  await noteErasure(place, erasure(100, [1]));
  await noteErasure(place, erasure(200, [1, 2]));
  await noteErasure(place, erasure(150, [3]));
  assert.deepEqual(await readErasureNotes(place), [erasure(200, [1, 2])]);
  await dropErasureNotes(place, 200);
  assert.equal((await readErasureNotes(place)).length, 1);
  await dropErasureNotes(place, 201);
  assert.deepEqual(await readErasureNotes(place), []);
});

test('a damaged note is written again by a server that knows it, and in the way of a restore only', async (t) => {
  const place = openPlace(await makeFolder(t), noAccess);
  await noteErasure(place, erasure(100));
  const whole = (await place.read('erasures/1-7.json'))!.toString();
  const damaged = [
    '{"websiteId":1,',
    'null',
    '',
    whole.replace('"appliedBefore":100', '"appliedBefore":101'),
  ];
  for (const content of [...damaged, whole.replace('"visitorId":"7"', '"visitorId":"8"')]) {
    await place.write('erasures/1-7.json', Buffer.from(content));
    await assert.rejects(readErasureNotes(place), /^OperatorError: erasures\/1-7\.json in .* is damaged/);
    const { broken } = await verifyBackups(place, () => {});
    assert.deepEqual(
      broken.map(({ path }) => path),
      ['erasures/1-7.json'],
    );
    await dropErasureNotes(place, 1_000);
  }
  await noteErasure(place, erasure(100));
  assert.deepEqual(await readErasureNotes(place), [erasure(100)]);
});

test('takes a note of an earlier version, which has no hash, unless it is another person’s', async (t) => {
  const place = openPlace(await makeFolder(t), noAccess);
  await place.write('erasures/1-7.json', Buffer.from(JSON.stringify(erasure(100))));
  assert.deepEqual(await readErasureNotes(place), [erasure(100)]);
  await place.write('erasures/1-8.json', Buffer.from(JSON.stringify(erasure(100))));
  await assert.rejects(readErasureNotes(place), /erasures\/1-8\.json in .* is damaged/);
});

test('an erasure that cannot be noted is noted later, and never where nothing is mounted', async (t) => {
  const folder = join(await makeFolder(t), 'disk');
  let nowMs = 0;
  const warnings: unknown[] = [];
  const places = [{ place: folder, startedAt: 0, finishedAt: null, records: null, bytes: null }];
  const note = createErasureNoter({
    control: {
      backupPlaces: { list: async () => places } as never,
      installation: async () => 'mine',
    },
    s3: noAccess,
    clock: { monotonicMs: () => nowMs } as never,
    log: { warn: (...said: unknown[]) => warnings.push(said) } as never,
  });
  assert.equal(await note(erasure(100)), false);
  assert.equal(await note(erasure(100)), false);
  assert.equal(warnings.length, 1);
  await assert.rejects(stat(folder), { code: 'ENOENT' });
  const place = openPlace(folder, noAccess);
  await markPlace(place, 'mine');
  assert.equal(await note(erasure(100)), false, 'it rests for a minute');
  nowMs = 60_000;
  assert.equal(await note(erasure(100)), true);
  assert.equal((await readErasureNotes(place)).length, 1);
});
