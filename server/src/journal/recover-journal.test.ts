import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { placesBetween } from '../../test/support/long-form.ts';
import { createTestLog } from '../control/test-control.ts';
import { frameHeaderBytes, segmentPath, writeFrame } from './segment-file.ts';
import {
  append,
  appendEach,
  damage,
  openTestJournal,
  payloadOf,
  payloads,
  readJournal,
  readStretch,
  useFolders,
} from './test-journal.ts';
import { keepDamage, leaveJournal, recover } from './test-recovery.ts';

const makeFolder = useFolders();

test('cuts off a tail torn at any byte, and keeps what comes before and after it', async (t) => {
  const { folder, ends, path, firstFrame } = await leaveJournal(t, await makeFolder(), payloads(4));
  const whole = await readFile(path);
  for (const length of placesBetween(ends[1]!, ends[3]!, ends)) {
    const torn = await makeFolder();
    await writeFile(segmentPath(torn, 1), whole.subarray(0, length));
    const kept = ends.filter((end) => end <= length).length;
    const { log, messages } = createTestLog();
    const journal = await openTestJournal(t, torn, { log });
    const end = ends[kept - 1]!;
    const [cut, begun] = journal.segments();
    assert.deepEqual([cut?.number, cut?.firstFrame, cut?.end], [1, firstFrame, end]);
    assert.deepEqual([begun?.number, begun?.end], [2, begun?.firstFrame]);
    assert.equal((await stat(segmentPath(torn, 1))).size, end);
    assert.equal(messages.length, length === end ? 0 : 1, 'a cut is told, and only a cut');
    await appendEach(journal, payloads(1, 100));
    assert.deepEqual(await readJournal(journal), [...payloads(kept), payloadOf(100)]);
    await journal.close();
  }
  assert.equal((await readdir(folder)).length, 1);
});

test('cuts off a torn tail of several megabytes after the last whole record', async (t) => {
  const { folder, ends, path } = await leaveJournal(t, await makeFolder(), payloads(3));
  await appendFile(path, Buffer.alloc(5_000_000));
  const { segments } = await recover(folder);
  assert.equal(segments[0]!.end, ends[2]);
  assert.equal((await stat(path)).size, ends[2]);
});

test('damage in the middle of the last segment is not a torn tail', async (t) => {
  const { folder, ends, path } = await leaveJournal(t, await makeFolder(), payloads(5));
  await damage(folder, 1, (bytes) => bytes.fill(0, ends[1]!, ends[2]!));
  const { segments } = await recover(folder);
  assert.equal(segments[0]!.end, ends[4]);
  assert.equal((await stat(path)).size, ends[4]);
  const read = await readStretch(folder, 1, segments[0]!.firstFrame, segments[0]!.end);
  assert.deepEqual(read.payloads, [...payloads(2), ...payloads(2, 4)]);
  assert.equal(read.damagedPlaces, 1);
});

test('cuts off only the last segment; a damaged end elsewhere stays and is reported', async (t) => {
  const { folder, ends, path } = await leaveJournal(t, await makeFolder(), payloads(3));
  await (await openTestJournal(t, folder)).close();
  await truncate(path, ends[2]! - 1);
  const { segments } = await recover(folder);
  assert.equal(segments[0]!.end, ends[2]! - 1);
  assert.equal((await stat(path)).size, ends[2]! - 1);
});

/** Leaves a journal whose last group has several records, and returns where that group begins. */
async function leaveGroup(t: TestContext) {
  const folder = await makeFolder();
  const journal = await openTestJournal(t, folder);
  await append(journal, payloadOf(1));
  const { offset: groupAt } = journal.durable();
  await Promise.all(payloads(12, 2).map((payload) => append(journal, payload)));
  const { number, firstFrame, end } = journal.segments()[0]!;
  await journal.close();
  return { folder, number, firstFrame, groupAt, end };
}

test('cuts off a group of which a power cut has left only the end', async (t) => {
  const { folder, number, firstFrame, groupAt } = await leaveGroup(t);
  const nextSector = (Math.floor(groupAt / 512) + 1) * 512;
  await damage(folder, number, (bytes) => bytes.fill(0, groupAt, nextSector));
  const noted = keepDamage();
  const { segments } = await recover(folder, { damage: noted });
  assert.equal(segments[0]!.end, groupAt);
  assert.deepEqual((await readStretch(folder, 1, firstFrame, groupAt)).payloads, payloads(1));
  assert.deepEqual(noted.ids(), []);
});

test('keeps what is readable of a damaged last group, and of one that was answered', async (t) => {
  const { folder, number, firstFrame, groupAt, end } = await leaveGroup(t);
  const left = async (answered: { segment: number; offset: number; isStored: boolean }[]) => {
    const { segments } = await recover(folder, { answered });
    return await readStretch(folder, 1, firstFrame, segments[0]!.end);
  };
  await damage(folder, number, (bytes) => {
    bytes[groupAt + 20]! ^= 1;
  });
  assert.deepEqual((await left([])).payloads, [payloadOf(1), ...payloads(11, 3)]);
  await damage(folder, number, (bytes) => bytes.fill(0, groupAt, (Math.floor(groupAt / 512) + 1) * 512));
  const answered = await left([{ segment: number, offset: end, isStored: false }]);
  assert.equal(answered.payloads.at(-1), payloadOf(13));
  assert.equal(answered.damagedPlaces, 1);
});

test('continues from segments of the previous format', async (t) => {
  const { folder, path } = await leaveJournal(t, await makeFolder(), payloads(1));
  const [magic, header] = [Buffer.from('TRACKSIDE JOURNAL\n'), { format: 1, node: 'n0', columns: ['day'] }];
  const bytes = Buffer.alloc(1000);
  magic.copy(bytes);
  let end = magic.length + writeFrame(bytes, magic.length, JSON.stringify({ ...header, createdAt: 5 }));
  for (const payload of payloads(2)) end += writeFrame(bytes, end, payload);
  await writeFile(path, bytes.subarray(0, end));
  const journal = await openTestJournal(t, folder);
  assert.deepEqual(
    journal.segments().map(({ node, createdAt }) => [node, createdAt]),
    [
      ['n0', 5],
      ['n1', Date.parse('2026-03-10T09:00:00Z')],
    ],
  );
  assert.deepEqual(await readJournal(journal), payloads(2));
});

test('refuses a segment of a newer format, and says which file and what to do', async (t) => {
  const { folder } = await leaveJournal(t, await makeFolder(), payloads(1));
  const magic = Buffer.from('TRACKSIDE JOURNAL\n');
  const header = JSON.stringify({ format: 5, node: 'n1', columns: [], createdAt: 0 });
  const bytes = Buffer.alloc(magic.length + frameHeaderBytes + header.length);
  magic.copy(bytes);
  writeFrame(bytes, magic.length, header);
  await writeFile(segmentPath(folder, 2), bytes);
  await assert.rejects(
    openTestJournal(t, folder),
    /0000000002\.segment: its format 5 comes from a newer version\. Start that version, or move the file out/,
  );
});

test('sets a file that is not a segment aside, and a folder in its place too', async (t) => {
  const { folder } = await leaveJournal(t, await makeFolder(), payloads(1));
  await writeFile(segmentPath(folder, 2), 'something else that someone put here, long enough');
  await mkdir(segmentPath(folder, 3));
  const noted = keepDamage();
  const { segments, last } = await recover(folder, { damage: noted });
  assert.deepEqual(
    segments.map(({ number }) => number),
    [1],
  );
  assert.equal(last, 3);
  assert.match(noted.told('journal-segment-2'), /not a journal segment/);
  assert.match(noted.told('journal-segment-3'), /can't be read \(EISDIR\)/);
});

test('leaves other files in the folder alone', async (t) => {
  const { folder } = await leaveJournal(t, await makeFolder(), payloads(1));
  for (const name of ['ledger', '1.segment', '0000000009.segment.bak', 'x0000000009.segment']) {
    await writeFile(`${folder}/${name}`, 'not ours');
  }
  const { segments, last } = await recover(folder);
  assert.deepEqual(
    segments.map(({ number }) => number),
    [1],
  );
  assert.equal(last, 1);
  assert.equal((await readdir(folder)).length, 5);
});

test('a segment remembers its node, its columns and its start', async (t) => {
  const { folder } = await leaveJournal(t, await makeFolder(), payloads(1));
  const { segments } = await recover(folder);
  const { node, columns, createdAt } = segments[0]!;
  assert.deepEqual(
    { node, columns, createdAt },
    {
      node: 'n1',
      columns: ['day', 'website_id', 'received_at', 'text'],
      createdAt: Date.parse('2026-03-10T09:00:00Z'),
    },
  );
});

test('opens an empty folder, and one that does not exist yet', async (t) => {
  const journal = await openTestJournal(t, `${await makeFolder()}/deep/journal`);
  assert.deepEqual(
    journal.segments().map(({ number }) => number),
    [1],
  );
});
