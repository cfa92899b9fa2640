import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { failToRead } from '../files/test-faulty-disk.ts';
import { openTestJournal, useFolders } from '../journal/test-journal.ts';
import { openLedger, readLedger } from './open-ledger.ts';
import { batchOf, lasting, makeSegments, reopen } from './test-ledger.ts';

const makeFolder = useFolders();

async function makeLedgerFolder(segments: number): Promise<string> {
  const folder = await makeFolder();
  await makeSegments(folder, segments);
  return folder;
}

test('drops a line torn at any byte, and keeps the lines before it', async () => {
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

test('keeps what is around a sector that the disk cannot read', async (t) => {
  const folder = await makeLedgerFolder(1);
  const ledger = await openLedger({ folder });
  for (let batch = 1; batch <= 100; batch += 1) await ledger.addBatch(batchOf(batch, 1));
  await ledger.close();
  failToRead(t, { path: join(folder, 'ledger'), from: 4096, to: 8192 });
  const again = await openLedger({ folder });
  await again.close();
  assert.equal(again.node, ledger.node);
  const kept = [...again.state.batches.keys()];
  assert.ok(kept.length > 50 && kept.length < 100, `${kept.length} batches are kept`);
  assert.deepEqual([kept[0], kept.at(-1)], [1, 100]);
});

test('a ledger that the disk cannot read is begun anew', async (t) => {
  const folder = await makeFolder();
  const ledger = await openLedger({ folder });
  await openTestJournal(t, folder, { node: ledger.node });
  await ledger.addBatch(batchOf(1, 1));
  await ledger.close();
  failToRead(t, { path: join(folder, 'ledger'), from: 0, to: 4096 });
  const again = await openLedger({ folder });
  await again.close();
  assert.equal(again.node, ledger.node);
  assert.equal(again.state.batches.size, 0);
});

test('also drops a last line that was overwritten with other bytes', async () => {
  const folder = await makeLedgerFolder(1);
  const kept = lasting(await reopen(folder));
  await appendFile(join(folder, 'ledger'), '00000000 {"store":"half an old line"}\n');
  assert.deepEqual(lasting(await reopen(folder)), kept);
});

test('keeps what can be read of a damaged ledger, and reports how much cannot', async () => {
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

test('reads lines after the zeros that a full disk left', async () => {
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

test('keeps the last line when a power cut leaves zeros behind it', async () => {
  const folder = await makeLedgerFolder(1);
  const ledger = await openLedger({ folder });
  await ledger.addBatch(batchOf(1, 1));
  await ledger.addBatch(batchOf(2, 1));
  await ledger.close();
  const file = join(folder, 'ledger');
  await writeFile(file, Buffer.concat([await readFile(file), Buffer.alloc(40)]));
  assert.deepEqual([...(await readLedger(folder))!.batches.keys()], [1, 2]);
});

/**
 * Writes lines in a process whose files may not grow beyond 4 KiB. The system accepts only part of the line
 * that exceeds the limit.
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
    const place = { segment: 1, from: batch, to: batch + 1 };
    const line = { batch, ...place, months, firstReceivedAt: '', lastReceivedAt: '' };
    await ledger.addBatch(line).catch((error) => { fault = error.code; });
  }
  await ledger.setStore('s');
  await ledger.markVerified([1]);
  await ledger.close();
  process.stdout.write(JSON.stringify({ fault, batches: ledger.state.batches.size }));
`;

test('does not count a line that was written only in part, which does not spoil later ones', async () => {
  const folder = await makeLedgerFolder(1);
  const script = join(await makeFolder(), 'fill-up.mjs');
  await writeFile(script, fillingUp);
  const module = new URL('./open-ledger.ts', import.meta.url).href;
  const command = ['-c', 'ulimit -S -f 8; exec "$@"', 'sh', process.execPath, script, module, folder];
  // Compiled code would be too large for a file as well, and the signal would end the process.
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
