import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { segmentPath } from '../journal/segment-file.ts';
import { openTestJournal, useFolders } from '../journal/test-journal.ts';
import type { Batch } from './ledger-lines.ts';
import type { LedgerState } from './ledger-state.ts';
import { openLedger, readLedger } from './open-ledger.ts';

const makeFolder = useFolders();

function batchOf(
  batch: number,
  segment: number,
  months: Record<string, number> = { '202603': batch },
): Batch {
  const at = new Date(Date.UTC(2026, 2, 10) + batch * 1000).toISOString().slice(0, 23).replace('T', ' ');
  return {
    batch,
    segment,
    from: batch * 100,
    to: batch * 100 + 100,
    months,
    firstReceivedAt: at,
    lastReceivedAt: at,
  };
}

async function makeSegments(folder: string, count: number): Promise<void> {
  for (let segment = 1; segment <= count; segment += 1) await writeFile(segmentPath(folder, segment), '');
}

async function makeLedgerFolder(segments: number): Promise<string> {
  const folder = await makeFolder();
  await makeSegments(folder, segments);
  return folder;
}

/**
 * What has to outlive the process. Without batches, the next one begins at the first segment that is left.
 */
function lasting(state: Readonly<LedgerState>) {
  const { node, storeUuid, batches, verified, forgotten, lastBatch, batchedTo } = state;
  return {
    node,
    storeUuid,
    forgotten,
    lastBatch,
    batches: [...batches],
    verified: [...verified].sort((a, b) => a - b),
    batchedTo: batches.size === 0 ? undefined : batchedTo,
  };
}

async function reopen(folder: string) {
  const ledger = await openLedger({ folder });
  await ledger.close();
  return ledger.state;
}

const operation = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('add' as const), nextSegment: fc.boolean() }) },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('verify' as const), numbers: fc.array(fc.nat(20)) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('store' as const), uuid: fc.uuid() }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('forget' as const), segments: fc.integer({ min: 1, max: 3 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
);

test('any sequence of operations gives the same state after reopening', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { maxLength: 30 }), async (operations) => {
      const folder = await makeLedgerFolder(30);
      let ledger = await openLedger({ folder });
      let segment = 1;
      let oldest = 1;
      for (const step of operations) {
        if (step.kind === 'store') await ledger.setStore(step.uuid);
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
      // Once more, from the file that the reopening wrote anew.
      assert.deepEqual(lasting(await reopen(folder)), lasting(ledger.state));
    }),
    { numRuns: 60 },
  );
});

test('a ledger makes its node a name once, and keeps it', async () => {
  const folder = await makeFolder();
  assert.equal(await readLedger(folder), undefined);
  const first = await reopen(folder);
  assert.match(first.node, /^n[0-9a-f]{10}$/);
  assert.equal((await reopen(folder)).node, first.node);
  assert.notEqual((await reopen(await makeFolder())).node, first.node);
  assert.equal((await stat(join(folder, 'ledger'))).mode & 0o777, 0o600);
});

test('a line torn at any byte is dropped, and the lines before it are kept', async () => {
  const folder = await makeLedgerFolder(1);
  const ledger = await openLedger({ folder });
  await ledger.addBatch(batchOf(1, 1));
  const kept = lasting(ledger.state);
  const file = join(folder, 'ledger');
  const { size } = await stat(file);
  await ledger.addBatch(batchOf(2, 1));
  await ledger.close();
  const whole = await readFile(file);
  for (let length = size; length < whole.length; length += 1) {
    await writeFile(file, whole.subarray(0, length));
    assert.deepEqual(lasting((await readLedger(folder))!), kept, `cut at ${length}`);
  }
  await truncate(file, whole.length - 5);
  const again = await openLedger({ folder });
  assert.deepEqual(lasting(again.state), kept);
  await again.addBatch(batchOf(2, 1));
  await again.close();
  assert.equal((await reopen(folder)).batches.size, 2);
});

test('a last line that was written over with other bytes is dropped too', async () => {
  const folder = await makeLedgerFolder(1);
  const kept = lasting(await reopen(folder));
  await appendFile(join(folder, 'ledger'), '00000000 {"store":"half an old line"}\n');
  assert.deepEqual(lasting(await reopen(folder)), kept);
});

test('what can be read of a damaged ledger is kept, and how much cannot is told', async () => {
  const folder = await makeLedgerFolder(1);
  const ledger = await openLedger({ folder });
  for (let batch = 1; batch <= 3; batch += 1) await ledger.addBatch(batchOf(batch, 1));
  await ledger.close();
  const file = join(folder, 'ledger');
  const whole = await readFile(file, 'latin1');
  await writeFile(file, whole.replace('"batch":2', '"batch":7'));
  const again = await openLedger({ folder });
  await again.close();
  assert.equal(again.unreadableLines, 1);
  assert.equal(again.node, ledger.node);
  assert.deepEqual([...again.state.batches.keys()], [1, 3]);
});

test('lines behind the zeros that a full disk left are read', async () => {
  const folder = await makeLedgerFolder(1);
  const ledger = await openLedger({ folder });
  await ledger.addBatch(batchOf(1, 1));
  const file = join(folder, 'ledger');
  const { size } = await stat(file);
  await ledger.addBatch(batchOf(2, 1));
  const { size: end } = await stat(file);
  await ledger.addBatch(batchOf(3, 1));
  await ledger.close();
  const whole = await readFile(file);
  for (const cutAt of [size, size + 7, end - 2]) {
    await writeFile(file, Buffer.from(whole).fill(0, cutAt, end));
    assert.deepEqual([...(await readLedger(folder))!.batches.keys()], [1, 3], `cut at ${cutAt - size}`);
  }
});

test('without its ledger, a journal has the name that its segments have', async (t) => {
  const folder = await makeFolder();
  const ledger = await openLedger({ folder });
  const journal = await openTestJournal(t, folder, { node: ledger.node });
  await journal.close();
  await ledger.close();
  await rm(join(folder, 'ledger'));
  assert.equal((await readLedger(folder))?.node, ledger.node);
  assert.equal((await reopen(folder)).node, ledger.node);
});

test('lines that are written at the same time are all there', async () => {
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

/**
 * Writes lines in a process whose files may not grow beyond 4 KiB: the system takes part of the line that is
 * too much.
 */
const fillingUp = `
  process.on('SIGXFSZ', () => {});
  const { openLedger } = await import(process.argv[2]);
  const ledger = await openLedger({ folder: process.argv[3] });
  const months = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [200001 + index, 1]));
  let batch = 0;
  let fault;
  while (fault === undefined) {
    batch += 1;
    const line = { batch, segment: 1, from: batch, to: batch + 1, months, firstReceivedAt: '', lastReceivedAt: '' };
    await ledger.addBatch(line).catch((error) => { fault = error.code; });
  }
  await ledger.setStore('s');
  await ledger.markVerified([1]);
  await ledger.close();
  process.stdout.write(JSON.stringify({ fault, batches: ledger.state.batches.size }));
`;

test('a line that the disk took only a part of is not counted, and does not spoil those after it', async () => {
  const folder = await makeLedgerFolder(1);
  const script = join(await makeFolder(), 'fill-up.mjs');
  await writeFile(script, fillingUp);
  const module = new URL('./open-ledger.ts', import.meta.url).href;
  const command = ['-c', 'ulimit -S -f 8; exec "$@"', 'sh', process.execPath, script, module, folder];
  // Compiled code would be too large as well, and the process would end by the signal while it is written.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
  const { stdout } = await promisify(execFile)('sh', command, { env });
  const { fault, batches } = JSON.parse(stdout);
  assert.equal(fault, 'EFBIG');
  assert.ok(batches > 5, `${batches} lines fitted`);
  const ledger = await openLedger({ folder });
  await ledger.close();
  assert.equal(ledger.unreadableLines, 0);
  assert.deepEqual(
    [...ledger.state.batches.keys()],
    Array.from({ length: batches }, (_, index) => index + 1),
  );
  assert.deepEqual([ledger.state.storeUuid, ...ledger.state.verified], ['s', 1]);
});

test('many lines are written anew as few, and the state stays', async () => {
  const folder = await makeLedgerFolder(1);
  const ledger = await openLedger({ folder });
  // Large lines, so that few of them reach the size at which the file is written anew.
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
  // The new file, not the old one, takes what follows.
  await ledger.addBatch(batchOf(1000, 1));
  await ledger.markVerified([1000]);
  await ledger.close();
  const state = await reopen(folder);
  assert.deepEqual(lasting(state), lasting(ledger.state));
  assert.equal(state.forgotten.batches + state.batches.size, ledger.state.forgotten.batches + 1);
});

test('batches whose segment is gone are forgotten, and their rows are counted', async () => {
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

test('when the newest segments are gone, loading goes on behind the batches that are left', async () => {
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
  // A journal that begins anew with segment 1 must not be taken for loaded.
  const anew = await reopen(folder);
  assert.deepEqual(anew.batchedTo, { segment: 0, offset: 0 });
  assert.equal(anew.lastBatch, 3, 'the store may have rows of batch 3');
});

test('numbers go on where they were when every batch is forgotten', async () => {
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

test('numbers only go up, also behind one that was skipped to', async () => {
  const folder = await makeLedgerFolder(1);
  const ledger = await openLedger({ folder });
  ledger.skipTo(41);
  await ledger.addBatch(batchOf(ledger.state.lastBatch + 1, 1));
  ledger.skipTo(7);
  assert.equal(ledger.state.lastBatch, 42);
  await ledger.close();
  assert.equal((await reopen(folder)).lastBatch, 42);
});

test('neighbouring batches are verified in one line, known ones in none', async () => {
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
