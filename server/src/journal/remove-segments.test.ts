import assert from 'node:assert/strict';
import { readdir, rm, stat } from 'node:fs/promises';
import { test } from 'node:test';
import { waitFor } from '../../test/support/wait-for.ts';
import { createTestLog } from '../control/test-control.ts';
import type { AppendFailure } from './append-failure.ts';
import type { Journal } from './open-journal.ts';
import { segmentPath } from './segment-file.ts';
import {
  append,
  appendEach,
  openTestJournal,
  payloadOf,
  payloads,
  readJournal,
  useFolders,
} from './test-journal.ts';

const makeFolder = useFolders();

/** Creates segments of two records each, followed by an empty one. */
async function fillSegments(journal: Journal, count: number): Promise<void> {
  for (let segment = 0; segment < count; segment += 1) {
    await appendEach(journal, payloads(2, segment * 2));
    await journal.rotate();
  }
}

test('is full above its limit and accepts again once a segment was removed', async (t) => {
  const journal = await openTestJournal(t, await makeFolder(), { segmentBytes: 1000, maxBytes: 5000 });
  let failure: AppendFailure | undefined;
  let accepted = 0;
  while (failure === undefined) {
    failure = await append(journal, payloadOf(accepted));
    if (failure === undefined) accepted += 1;
  }
  assert.equal(failure, 'journal-full');
  assert.ok(journal.isFull());
  assert.ok(journal.bytes() >= 5000 && journal.bytes() < 5500, `holds ${journal.bytes()} bytes`);
  assert.equal((await readJournal(journal)).length, accepted, 'a refused record is not written');
  await journal.remove(1);
  assert.ok(!journal.isFull());
  assert.equal(await append(journal, payloadOf(accepted)), undefined);
});

test('is full while the disk has less space than must stay free', async (t) => {
  const { log, messages } = createTestLog();
  const journal = await openTestJournal(t, await makeFolder(), {
    minFreeBytes: Number.MAX_SAFE_INTEGER,
    log,
  });
  assert.equal(await append(journal, payloadOf(1)), 'journal-full');
  assert.ok(journal.isFull());
  assert.ok(messages.some((message) => message.startsWith('the disk is almost full')));
});

test('counts the bytes of its files, before and after removing some', async (t) => {
  const journal = await openTestJournal(t, await makeFolder());
  await fillSegments(journal, 4);
  const bytesOnDisk = async () => {
    const names = await readdir(journal.folder);
    const sizes = await Promise.all(
      names.map(async (name) => (await stat(`${journal.folder}/${name}`)).size),
    );
    return sizes.reduce((sum, size) => sum + size, 0);
  };
  assert.equal(journal.bytes(), await bytesOnDisk());
  await journal.remove(1);
  await journal.remove(3);
  assert.equal(journal.bytes(), await bytesOnDisk());
  assert.deepEqual(
    journal.segments().map(({ number }) => number),
    [2, 4, 5],
  );
});

test('removes the right segments when several are removed at once', async (t) => {
  const journal = await openTestJournal(t, await makeFolder());
  await fillSegments(journal, 5);
  await Promise.all([journal.remove(1), journal.remove(2), journal.remove(4)]);
  assert.deepEqual(
    journal.segments().map(({ number }) => number),
    [3, 5, 6],
  );
  assert.deepEqual(await readJournal(journal), [...payloads(2, 4), ...payloads(2, 8)]);
});

test('does not remove the segment that is being written', async (t) => {
  const journal = await openTestJournal(t, await makeFolder());
  await appendEach(journal, payloads(3));
  await journal.remove(journal.durable().segment);
  await journal.remove(99);
  assert.deepEqual(await readJournal(journal), payloads(3));
});

test('never reuses the number of a segment, even if all were removed', async (t) => {
  const folder = await makeFolder();
  const used: number[] = [];
  for (let start = 0; start < 4; start += 1) {
    const journal = await openTestJournal(t, folder);
    assert.equal(journal.segments().length, 1, 'an empty segment of the last start is gone');
    await fillSegments(journal, 2);
    const numbers = journal.segments().map(({ number }) => number);
    used.push(...numbers);
    for (const number of numbers) await journal.remove(number);
    assert.equal(journal.segments().length, 1, 'only the segment that is written is left');
    await journal.close();
  }
  assert.equal(new Set(used).size, used.length, `numbers were used twice: ${used}`);
  assert.deepEqual(
    used,
    used.toSorted((a, b) => a - b),
  );
});

test('rotate seals the segment, and later records go to the next', async (t) => {
  const journal = await openTestJournal(t, await makeFolder());
  await appendEach(journal, payloads(2));
  await journal.rotate();
  await appendEach(journal, payloads(2, 3));
  assert.deepEqual(
    journal.segments().map(({ number }) => number),
    [1, 2],
  );
  assert.deepEqual(await readJournal(journal), payloads(4));
  await journal.remove(1);
  assert.deepEqual(await readJournal(journal), payloads(2, 3));
});

test('rotate finishes even if records never stop arriving', async (t) => {
  const journal = await openTestJournal(t, await makeFolder());
  let goesOn = true;
  let number = 0;
  const keepAppending = () => {
    if (goesOn) journal.append(payloadOf(number++), keepAppending);
  };
  keepAppending();
  let isRotated = false;
  journal.rotate().then(() => {
    isRotated = true;
  });
  await waitFor('the rotation', () => isRotated).finally(() => {
    goesOn = false;
  });
  assert.deepEqual(
    journal.segments().map(({ number }) => number),
    [1, 2],
  );
});

test('forgets a sealed segment that somebody else removed like any other', async (t) => {
  const journal = await openTestJournal(t, await makeFolder());
  await fillSegments(journal, 2);
  await rm(segmentPath(journal.folder, 1));
  await journal.remove(1);
  assert.deepEqual(
    journal.segments().map(({ number }) => number),
    [2, 3],
  );
});
