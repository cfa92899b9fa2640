import assert from 'node:assert/strict';
import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { times } from '../../test/support/long-form.ts';
import { type Disk, localDisk } from '../files/disk.ts';
import { segmentPath } from '../journal/segment-file.ts';
import { openTestJournal, useFolders } from '../journal/test-journal.ts';
import { openLedger, readLedger } from './open-ledger.ts';
import { onlyInStoreNow } from './report-gone-store.ts';
import { batchOf, lasting, makeSegments, reopen } from './test-ledger.ts';

const makeFolder = useFolders();

async function makeLedgerFolder(segments: number): Promise<string> {
  const folder = await makeFolder();
  await makeSegments(folder, segments);
  return folder;
}

const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), nextSegment: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('verify' as const), numbers: fc.array(fc.nat(20)) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('store' as const),
      uuid: fc.uuid(),
      onlyInStore: fc.option(
        fc.record({ rows: fc.nat(), forgottenThen: fc.option(fc.nat(), { nil: undefined }) }),
        { nil: undefined },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('forget' as const), segments: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
);

test('any sequence of operations results in the same state after reopening', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 30 }), async (operations) => {
      const folder = await makeLedgerFolder(30);
      let ledger = await openLedger({ folder });
      let segment = 1;
      let oldest = 1;
      for (const step of operations) {
        if (step.kind === 'store') await ledger.setStore(step.uuid, step.onlyInStore);
        else if (step.kind === 'verify') await ledger.markVerified(step.numbers);
        else if (step.kind === 'add') {
          if (step.nextSegment) segment += 1;
          await ledger.addBatch(batchOf(ledger.state.lastBatch + 1, segment));
        } else if (step.kind === 'forget') {
          for (let end = Math.min(segment, oldest + step.segments); oldest < end; oldest += 1) {
            await ledger.forgetSegment(oldest);
          }
        } else {
          const before = lasting(ledger.state);
          await ledger.close();
          ledger = await openLedger({ folder });
          assert.deepEqual(lasting(ledger.state), before);
        }
      }
      await ledger.close();
      assert.deepEqual(lasting((await readLedger(folder))!), lasting(ledger.state));
      assert.deepEqual(lasting(await reopen(folder)), lasting(ledger.state));
      // This reads the file that was rewritten when the ledger was reopened.
      assert.deepEqual(lasting(await reopen(folder)), lasting(ledger.state));
    }),
    { numRuns: times(8, 60) },
  );
});

test('a ledger creates the name of its node once, and keeps it', async () => {
  const folder = await makeFolder();
  assert.equal(await readLedger(folder), undefined);
  const first = await reopen(folder);
  assert.match(first.node, /^n[0-9a-f]{10}$/);
  assert.equal((await reopen(folder)).node, first.node);
  assert.notEqual((await reopen(await makeFolder())).node, first.node);
  assert.equal((await stat(join(folder, 'ledger'))).mode & 0o777, 0o600);
});

test('without its ledger, a journal has the name in its segments', async (t) => {
  const folder = await makeFolder();
  const ledger = await openLedger({ folder });
  const journal = await openTestJournal(t, folder, { node: ledger.node });
  await journal.close();
  await ledger.close();
  await rm(join(folder, 'ledger'));
  assert.equal((await readLedger(folder))?.node, ledger.node);
  assert.equal((await reopen(folder)).node, ledger.node);
});

test('keeps all lines that are written at the same time', async () => {
  const folder = await makeLedgerFolder(2);
  const ledger = await openLedger({ folder });
  await ledger.addBatch(batchOf(1, 1));
  await Promise.all([
    ledger.addBatch(batchOf(2, 2)),
    ledger.forgetSegment(1),
    ledger.setStore('store-1'),
    ledger.addBatch(batchOf(3, 2)),
  ]);
  await ledger.close();
  const state = await reopen(folder);
  assert.deepEqual(lasting(state), lasting(ledger.state));
  assert.deepEqual([state.storeUuid, ...state.batches.keys()], ['store-1', 2, 3]);
});

test('rewrites many lines as few, and keeps the state', async () => {
  const folder = await makeLedgerFolder(1);
  const ledger = await openLedger({ folder });
  // The lines are large, so that few of them reach the size at which the file is rewritten.
  const months = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [String(100_000 + index), index]),
  );
  const file = join(folder, 'ledger');
  let largest = 0;
  let isCompacted = false;
  for (let turn = 0; turn < 60 && !isCompacted; turn += 1) {
    await ledger.addBatch(batchOf(turn + 1, 1, months));
    await ledger.forgetSegment(1);
    const { size } = await stat(file);
    isCompacted = size < largest;
    largest = Math.max(largest, size);
  }
  assert.ok(isCompacted, `the file only grew, up to ${largest} bytes`);
  assert.ok(largest < 5_000_000, `the file grew to ${largest} bytes`);
  // What follows goes into the new file, and not into the old one.
  await ledger.addBatch(batchOf(1000, 1));
  await ledger.markVerified([1000]);
  await ledger.close();
  const state = await reopen(folder);
  assert.deepEqual(lasting(state), lasting(ledger.state));
  assert.equal(state.forgotten.batches + state.batches.size, ledger.state.forgotten.batches + 1);
});

/** A disk that notes how much of the ledger each write has, by rewrite. */
function createWatchedDisk() {
  const rewrites: number[][] = [];
  const disk: Disk = {
    ...localDisk,
    async open(path, flags, mode) {
      const file = await localDisk.open(path, flags, mode);
      const writes: number[] = [];
      if (path.endsWith('ledger.new')) rewrites.push(writes);
      const { write } = file;
      file.write = ((bytes: Uint8Array, offset: number, length: number, position: number) => {
        writes.push(length);
        return write.call(file, bytes, offset, length, position);
      }) as typeof write;
      return file;
    },
  };
  return { disk, rewrites };
}

test('rewrites a ledger only when it has doubled, however many batches it has', async () => {
  const folder = await makeLedgerFolder(1);
  const { disk, rewrites } = createWatchedDisk();
  let ledger = await openLedger({ folder, disk });
  const months = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [String(100_000 + index), index]),
  );
  for (let batch = 1; batch <= 50; batch += 1) await ledger.addBatch(batchOf(batch, 1, months));
  const { size } = await stat(join(folder, 'ledger'));
  assert.ok(size > 6_000_000, `the file has ${size} bytes`);
  assert.equal(rewrites.length, 2, 'when it is opened, and at 4 MiB');
  await ledger.close();
  ledger = await openLedger({ folder, disk });
  for (let batch = 51; batch <= 60; batch += 1) await ledger.addBatch(batchOf(batch, 1, months));
  assert.equal(rewrites.length, 3, 'when it is opened again');
  await ledger.close();
  assert.deepEqual(lasting(await reopen(folder)), lasting(ledger.state));
});

test('rewrites a large ledger in small pieces', async () => {
  const folder = await makeLedgerFolder(1);
  const { disk, rewrites } = createWatchedDisk();
  const ledger = await openLedger({ folder, disk });
  await ledger.replaceBatches(Array.from({ length: 5_500 }, (_, index) => batchOf(index + 1, 1)));
  await ledger.close();
  const pieces = rewrites.at(-1)!;
  assert.equal(pieces.length, 6);
  assert.ok(Math.max(...pieces) < 250_000, `the pieces have ${pieces.join(', ')} bytes`);
  assert.deepEqual(lasting(await reopen(folder)), lasting(ledger.state));
});

test('forgets batches whose segment is gone, and counts their rows', async () => {
  const folder = await makeLedgerFolder(3);
  const ledger = await openLedger({ folder });
  await ledger.addBatch(batchOf(1, 1, { '202602': 5, '202603': 7 }));
  await ledger.addBatch(batchOf(2, 1, { '202603': 20 }));
  await ledger.addBatch(batchOf(3, 2, { '202603': 100 }));
  await ledger.addBatch(batchOf(4, 3, { '202603': 1000 }));
  await ledger.markVerified([1, 2, 3, 4]);
  await ledger.close();
  await rm(segmentPath(folder, 1));
  const state = await reopen(folder);
  assert.deepEqual([...state.batches.keys()], [3, 4]);
  assert.deepEqual([...state.verified], [3, 4]);
  assert.deepEqual(state.forgotten, { batches: 2, rows: 32, lastReceivedAt: batchOf(2, 1).lastReceivedAt });
  assert.deepEqual(lasting(await reopen(folder)), lasting(state), 'they are not counted a second time');
});

test('rows whose segment is gone are only in the store', async () => {
  const [folder, other] = [await makeLedgerFolder(3), await makeLedgerFolder(2)];
  const ledger = await openLedger({ folder });
  await ledger.setStore('store-1', { rows: 4, forgottenThen: 0 });
  await ledger.addBatch(batchOf(1, 1, { '202602': 5, '202603': 7 }));
  await ledger.addBatch(batchOf(2, 2, { '202603': 20 }));
  await ledger.addBatch(batchOf(3, 3, { '202603': 100 }));
  await ledger.forgetSegment(1);
  assert.equal(onlyInStoreNow([ledger.state]), 16);
  await ledger.close();
  await rm(segmentPath(folder, 2));
  assert.equal(onlyInStoreNow([await reopen(folder)]), 36);
  assert.equal(onlyInStoreNow([await reopen(folder)]), 36, 'they are not counted a second time');

  const ofOtherWorker = await openLedger({ folder: other });
  await ofOtherWorker.addBatch(batchOf(1, 1, { '202603': 8 }));
  await ofOtherWorker.forgetSegment(1);
  await ofOtherWorker.close();
  const both = [await reopen(folder), await reopen(other)];
  assert.equal(onlyInStoreNow(both), 44, 'nor are those of other workers left out');
  const counted = await openLedger({ folder });
  await counted.setStore('store-1', { rows: 44, forgottenThen: 40 });
  await counted.close();
  assert.equal(onlyInStoreNow([await reopen(folder), both[1]!]), 44);
});

test('when the newest segments are gone, loading continues after the remaining batches', async () => {
  const folder = await makeLedgerFolder(3);
  const ledger = await openLedger({ folder });
  for (let batch = 1; batch <= 3; batch += 1) await ledger.addBatch(batchOf(batch, batch));
  await ledger.close();
  await rm(segmentPath(folder, 2));
  await rm(segmentPath(folder, 3));
  const state = await reopen(folder);
  assert.deepEqual(state.batchedTo, { segment: 1, offset: batchOf(1, 1).to });
  assert.equal(state.lastBatch, 3);
  await rm(segmentPath(folder, 1));
  // A new journal that begins with segment 1 must not count as loaded.
  const anew = await reopen(folder);
  assert.deepEqual(anew.batchedTo, { segment: 0, offset: 0 });
  assert.equal(anew.lastBatch, 3, 'the store may have rows of batch 3');
});

test('numbers continue where they were when every batch is forgotten', async () => {
  const folder = await makeLedgerFolder(2);
  const ledger = await openLedger({ folder });
  await ledger.addBatch(batchOf(1, 1));
  await ledger.addBatch(batchOf(2, 2));
  await ledger.forgetSegment(2);
  assert.equal(ledger.state.batches.size, 0);
  await ledger.close();
  assert.equal((await reopen(folder)).lastBatch, 2);
  assert.equal((await reopen(folder)).lastBatch, 2);
});

test('numbers only increase, even after a skipped one', async () => {
  const folder = await makeLedgerFolder(1);
  const ledger = await openLedger({ folder });
  ledger.skipTo(41);
  await ledger.addBatch(batchOf(ledger.state.lastBatch + 1, 1));
  ledger.skipTo(7);
  assert.equal(ledger.state.lastBatch, 42);
  await ledger.close();
  assert.equal((await reopen(folder)).lastBatch, 42);
});

test('verifies neighboring batches in one line, and known ones in none', async () => {
  const folder = await makeLedgerFolder(1);
  const ledger = await openLedger({ folder });
  for (let batch = 1; batch <= 9; batch += 1) await ledger.addBatch(batchOf(batch, 1));
  await ledger.markVerified([3, 1, 2, 6, 9, 8]);
  await ledger.markVerified([2, 3, 4]);
  await ledger.markVerified([1, 2]);
  await ledger.close();
  const ranges = [...(await readFile(join(folder, 'ledger'), 'latin1')).matchAll(/"verified":(\{.*?\})/g)];
  assert.deepEqual(
    ranges.map(([, range]) => JSON.parse(range!)),
    [
      { from: 1, to: 3 },
      { from: 6, to: 6 },
      { from: 8, to: 9 },
      { from: 4, to: 4 },
    ],
  );
  assert.deepEqual([...(await reopen(folder)).verified].sort(), [1, 2, 3, 4, 6, 8, 9]);
});
