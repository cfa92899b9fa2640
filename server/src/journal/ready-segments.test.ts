import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '../../test/support/wait-for.ts';
import { type Disk, localDisk } from '../files/disk.ts';
import { readSegments } from './read-segments.ts';
import { segmentPath } from './segment-file.ts';
import {
  append,
  appendEach,
  openTestJournal,
  payloadOf,
  payloads,
  readJournal,
  readStretch,
  useFolders,
} from './test-journal.ts';

const makeFolder = useFolders();
const readyBytes = 8_192;

type Journal = Awaited<ReturnType<typeof openTestJournal>>;

const isPrepared = (folder: string, bytes = readyBytes) =>
  statSync(join(folder, 'next.ready'), { throwIfNoEntry: false })?.size === bytes;

/** Appends records until they are in a segment with zeros. Returns the payloads that it has. */
async function fillReady(
  journal: Journal,
  folder: string,
  records: readonly string[],
  bytes = readyBytes,
): Promise<number> {
  // The file has its size a moment before it is synced and ready.
  await waitFor('a segment with zeros', async () => {
    await journal.rotate();
    return statSync(segmentPath(folder, journal.segments().at(-1)!.number)).size === bytes;
  });
  const { number } = journal.segments().at(-1)!;
  for (const payload of records) assert.equal(await append(journal, payload), undefined);
  return number;
}

test('fills the zeros of a segment that was made ahead of time, and cuts off the rest', async (t) => {
  const folder = await makeFolder();
  const journal = await openTestJournal(t, folder, { readyBytes });
  const number = await fillReady(journal, folder, payloads(10));
  const { end, firstFrame } = journal.segments().at(-1)!;
  assert.ok(end < readyBytes);
  assert.equal(statSync(segmentPath(folder, number)).size, readyBytes);
  const [seen] = (await readSegments(folder)).filter((segment) => segment.number === number);
  assert.equal(seen?.end, end, 'other processes see where it ends');
  await journal.rotate();
  assert.equal(statSync(segmentPath(folder, number)).size, end, 'a sealed segment ends with its last frame');
  assert.deepEqual((await readStretch(folder, number, firstFrame, end)).payloads, payloads(10));
  await journal.close();
  assert.ok(!readdirSync(folder).includes('next.ready'));
});

test('uses up the zeros of a segment before it begins another one, however busy it is', async (t) => {
  const folder = await makeFolder();
  const [large, record] = [1_000_000, 'x'.repeat(20_000)];
  const journal = await openTestJournal(t, folder, { readyBytes: large, segmentBytes: 1e9 });
  const number = await fillReady(journal, folder, [], large);
  for (let sent = 0; sent < 10; sent += 1) assert.equal(await append(journal, record), undefined);
  await waitFor('the one after it to be prepared', () => isPrepared(folder, large));
  for (let sent = 0; sent < 10; sent += 1) assert.equal(await append(journal, record), undefined);
  assert.equal(journal.segments().at(-1)!.number, number);
});

test('a quiet node stays in a segment without zeros', async (t) => {
  const folder = await makeFolder();
  const journal = await openTestJournal(t, folder, { readyBytes, segmentBytes: 1e9 });
  await waitFor('the next segment to be prepared', () => isPrepared(folder));
  // It is ready a moment after it has its size.
  await delay(100);
  await appendEach(journal, payloads(20));
  assert.equal(journal.segments().length, 1);
});

test('needs no segment that was made ahead of time: it may be removed or replaced', async (t) => {
  const folder = await makeFolder();
  const broken: Error[] = [];
  const journal = await openTestJournal(t, folder, { readyBytes, onBroken: (error) => broken.push(error) });
  await waitFor('the next segment to be prepared', () => isPrepared(folder));
  await delay(100);
  await rm(join(folder, 'next.ready'));
  await journal.rotate();
  await appendEach(journal, payloads(3));
  assert.deepEqual(await readJournal(journal), payloads(3));

  await waitFor('the next segment to be prepared', () => isPrepared(folder));
  await delay(100);
  await rm(join(folder, 'next.ready'));
  await writeFile(join(folder, 'next.ready'), Buffer.alloc(readyBytes));
  await journal.rotate();
  assert.equal(await append(journal, payloadOf(4)), 'journal-broken', 'it would be in the removed file');
  assert.match(broken[0]!.message, /was removed or replaced/);
});

test('leaves a file alone that has the name of the next segment', async (t) => {
  const folder = await makeFolder();
  const broken: Error[] = [];
  const journal = await openTestJournal(t, folder, { readyBytes, onBroken: (error) => broken.push(error) });
  await waitFor('the next segment to be prepared', () => isPrepared(folder));
  await delay(100);
  const next = segmentPath(folder, journal.segments().at(-1)!.number + 1);
  await writeFile(next, 'records of somebody else');
  await journal.rotate();
  assert.equal(readFileSync(next, 'utf8'), 'records of somebody else');
  assert.match(broken[0]!.message, /must not replace another one/);
});

test('a node that gets busy long after its start moves on to the segment with zeros', async (t) => {
  const folder = await makeFolder();
  const journal = await openTestJournal(t, folder, { readyBytes, segmentBytes: 1e9 });
  await waitFor('the next segment to be prepared', () => readdirSync(folder).includes('next.ready'));
  const record = 'x'.repeat(20_000);
  await waitFor('a segment with zeros', async () => {
    assert.equal(await append(journal, record), undefined);
    return journal.segments().length > 1;
  });
});

test('moves on to the next segment with zeros when those of this one are used up', async (t) => {
  const folder = await makeFolder();
  const journal = await openTestJournal(t, folder, { readyBytes, segmentBytes: 1e9 });
  const first = await fillReady(journal, folder, payloads(3));
  await waitFor('the next one', () => readdirSync(folder).includes('next.ready'));
  let sent = 0;
  await waitFor('the zeros to be used up', async () => {
    for (const payload of payloads(20)) assert.equal(await append(journal, payload), undefined);
    sent += 20;
    return journal.segments().at(-1)!.number > first;
  });
  await journal.close();
  const again = await openTestJournal(t, folder, { readyBytes });
  let found = 0;
  for (const { number, firstFrame, end } of again.segments())
    found += (await readStretch(folder, number, firstFrame, end)).payloads.length;
  assert.equal(found, sent + 3);
  await again.close();
});

test('a start after a kill leaves out the zeros, and says nothing of it', async (t) => {
  const folder = await makeFolder();
  const journal = await openTestJournal(t, folder, { readyBytes });
  const number = await fillReady(journal, folder, payloads(10));
  const { end } = journal.segments().at(-1)!;
  // A copy of the files as they are is what a kill leaves.
  const copy = await makeFolder();
  for (const name of readdirSync(folder)) writeFileSync(join(copy, name), readFileSync(join(folder, name)));
  await journal.close();
  const warnings: string[] = [];
  const log = { warn: (_: unknown, says: string) => warnings.push(says), info() {}, error() {}, debug() {} };
  const again = await openTestJournal(t, copy, { readyBytes: 0, log: log as never });
  assert.equal(again.segments().find((segment) => segment.number === number)?.end, end);
  assert.equal(statSync(segmentPath(copy, number)).size, end);
  assert.deepEqual(warnings, []);
  assert.ok(!readdirSync(copy).includes('next.ready'), 'what was prepared is removed');
  await again.close();
});

test('goes on after zeros were cut off and there was no space to sync that', async (t) => {
  const folder = await makeFolder();
  const broken: Error[] = [];
  let isFull = false;
  const noSpace = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
  const disk: Disk = {
    ...localDisk,
    async open(...args) {
      const file = await localDisk.open(...args);
      const datasync = file.datasync.bind(file);
      return Object.assign(file, { datasync: () => (isFull ? noSpace() : datasync()) });
    },
  };
  const journal = await openTestJournal(t, folder, {
    readyBytes,
    disk,
    onBroken: (error) => broken.push(error),
  });
  const number = await fillReady(journal, folder, payloads(1));
  isFull = true;
  await journal.rotate();
  isFull = false;
  const isAccepted = async () => (await append(journal, payloadOf(2))) === undefined;
  await waitFor('a record to be accepted', isAccepted);
  await journal.rotate();
  await appendEach(journal, payloads(1, 3));
  assert.deepEqual(await readJournal(journal), payloads(3));
  assert.ok(journal.segments().at(-1)!.number > number);
  assert.deepEqual(broken, []);
});
