import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { gapBytesOf } from '../damage/journal-gap.ts';
import { failToRead } from '../files/test-faulty-disk.ts';
import { segmentPath } from '../journal/segment-file.ts';
import { damage, payloadOf, payloads, useFolders } from '../journal/test-journal.ts';
import type { LoaderOptions } from './loader-options.ts';
import { openLoaderAndStore } from './test-loader.ts';
import type { MemoryStore } from './test-store.ts';

const makeFolder = useFolders();
const open = async (t: TestContext, options: Partial<LoaderOptions> = {}) =>
  openLoaderAndStore(t, await makeFolder(), options);

/** Damages these records in the first segment. */
async function makeUnreadable(folder: string, numbers: readonly number[]): Promise<void> {
  await damage(folder, 1, (bytes) => {
    for (const number of numbers) bytes[bytes.indexOf(`record ${number}`)]! ^= 1;
  });
}

function lose(store: MemoryStore, payloads: readonly string[]): void {
  for (const lost of payloads) store.removeRow(store.rows().findIndex(({ payload }) => payload === lost));
}

test('a damaged end of a sealed segment does not hold up later segments', async (t) => {
  const { folder, store, journal, append, start, settle, ...parts } = await open(t);
  await append(payloads(3));
  await journal.rotate();
  const { firstFrame, end } = journal.segments()[0]!;
  await append(payloads(3, 4));
  const frameBytes = (end - firstFrame) / 3;
  await damage(folder, 1, (bytes) => bytes.fill(0, firstFrame + 2 * frameBytes));
  const loader = start();
  await settle();
  assert.deepEqual(store.payloads(), [...payloads(2), ...payloads(3, 4)]);
  assert.equal(gapBytesOf(await parts.damage.list()), frameBytes);
  assert.ok(loader.isVerifiedTo({ segment: 1, offset: end }), 'the damaged segment can be removed');
});

test('skips and counts damage in the middle, and loads the rest', async (t) => {
  const { folder, store, journal, append, start, settle, reopen, ...parts } = await open(t, { maxRows: 2 });
  await append(payloads(9));
  const { firstFrame, end } = journal.segments()[0]!;
  const frameBytes = (end - firstFrame) / 9;
  await damage(folder, 1, (bytes) =>
    bytes.fill(0xff, firstFrame + 4 * frameBytes, firstFrame + 6 * frameBytes),
  );
  start();
  await settle();
  assert.deepEqual(store.payloads(), payloads(9).toSpliced(4, 2));
  assert.equal(gapBytesOf(await parts.damage.list()), 2 * frameBytes);
  await parts.close();
  const again = await reopen();
  again.start();
  await again.settle();
  assert.equal(gapBytesOf(await again.damage.list()), 2 * frameBytes, 'a restart does not forget it');
});

test('a sector that the disk cannot read is damage like any other', async (t) => {
  const { folder, store, journal, append, start, settle, ...parts } = await open(t);
  await append(payloads(300));
  await journal.rotate();
  await append(payloads(3, 301));
  failToRead(t, { path: segmentPath(folder, 1), from: 8192, to: 12_288 });
  start();
  await settle();
  const loaded = new Set(store.payloads());
  const all = payloads(303);
  const first = all.findIndex((payload) => !loaded.has(payload));
  const lost = all.length - loaded.size;
  assert.ok(first > 0 && lost > 0 && first + lost < 300);
  assert.deepEqual(store.payloads(), all.toSpliced(first, lost));
  const gapBytes = gapBytesOf(await parts.damage.list());
  assert.ok(gapBytes >= 4096 && gapBytes < 5000, `${gapBytes} bytes are reported`);
});

test('reports a segment that was removed before it was loaded, and loads what follows', async (t) => {
  const { store, journal, append, start, settle, damage: known } = await open(t);
  await append(payloads(3));
  await journal.rotate();
  await append(payloads(3, 4));
  await rm(segmentPath(journal.folder, 1));
  const loader = start();
  await settle();
  assert.deepEqual(store.payloads(), payloads(3, 4));
  const ids = (await known.list()).map(({ id }) => id);
  assert.deepEqual(ids, ['journal-segment-1']);
  assert.equal(loader.state().lastError, undefined);
});

test('an incomplete batch whose segment was removed does not hold up the others', async (t) => {
  const { store, journal, engine, append, start, settle, damage: known } = await open(t, { maxRows: 3 });
  await append(payloads(6));
  await journal.rotate();
  start();
  await settle();
  engine.stop();
  store.replace();
  await rm(segmentPath(journal.folder, 1));
  await append(payloads(2, 7));
  engine.start();
  await settle();
  assert.deepEqual(store.payloads(), payloads(2, 7));
  assert.match((await known.list())[0]?.says ?? '', /^journal segment 1 was removed, but not by the server/);
});

test('a row that neither the store has nor the journal can read is lost, not unwanted', async (t) => {
  const { folder, store, reopen, ...first } = await open(t);
  await first.append(payloads(6));
  first.start();
  await first.settle();
  await first.close();
  await makeUnreadable(folder, [2, 5]);
  // The store has lost one record that the journal can't read either, and one that it can.
  lose(store, [payloadOf(2), payloadOf(3)]);
  const second = await reopen();
  second.start();
  await second.settle();
  assert.deepEqual(store.payloads().toSorted(), payloads(6).toSpliced(1, 1).toSorted());
  const says = (await second.damage.list()).map((known) => known.says);
  assert.equal(says.length, 1);
  assert.match(says[0]!, /^1 record received around .* is lost: missing from the store/);
  await second.close();
  const third = await reopen();
  third.start();
  await third.settle();
  assert.equal(store.payloads().length, 5);
  assert.equal((await third.damage.list()).length, 1);
});

test('rows of one month that are no longer wanted hide no loss in another month', async (t) => {
  const { folder, store, reopen, ...first } = await open(t);
  const ofApril = [7, 8].map((number) => payloadOf(number, { day: '2026-04-01', websiteId: 2 }));
  await first.append([...payloads(6), ...ofApril]);
  first.start();
  await first.settle();
  await first.close();
  await makeUnreadable(folder, [2, 5]);
  lose(store, [payloadOf(2), payloadOf(3), ...ofApril]);
  const second = await reopen();
  second.start({ isWanted: ({ websiteId }) => websiteId !== 2 });
  await second.settle();
  assert.deepEqual(store.payloads().toSorted(), payloads(6).toSpliced(1, 1).toSorted());
  const says = (await second.damage.list()).map((known) => known.says);
  assert.equal(says.length, 1);
  assert.match(says[0]!, /^1 record received around .* is lost: missing from the store/);
});

for (const unreadable of [
  [2, 5],
  [7, 8],
])
  test(`keeps records ${unreadable.join(' and ')}, which only the store has`, async (t) => {
    const isWanted: LoaderOptions['isWanted'] = ({ websiteId }) => websiteId !== 2;
    const { folder, store, reopen, ...first } = await open(t, { isWanted });
    const neverWanted = [4, 6].map((number) => payloadOf(number, { websiteId: 2 }));
    const texts = payloads(8).with(3, neverWanted[0]!).with(5, neverWanted[1]!);
    await first.append(texts);
    await first.journal.rotate();
    first.start();
    await first.settle();
    await first.close();
    await makeUnreadable(folder, unreadable);
    lose(store, [payloadOf(3)]);
    const second = await reopen();
    second.start({ isWanted });
    await second.settle();
    const wanted = texts.filter((text) => !neverWanted.includes(text));
    assert.deepEqual(store.payloads().toSorted(), wanted.toSorted());
    assert.deepEqual(await second.damage.list(), []);
  });
