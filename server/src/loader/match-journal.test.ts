import assert from 'node:assert/strict';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { times } from '../../test/support/long-form.ts';
import { payloadOf, payloads, useFolders } from '../journal/test-journal.ts';
import { formatLine } from './ledger-lines.ts';
import { openLoaderAndStore, openTestLoader } from './test-loader.ts';
import { verifyBatches } from './verify-batches.ts';

const makeFolder = useFolders();

/** Records of two months, some of them equal, loaded in small batches over two segments. */
async function loadSome(t: TestContext, records: readonly string[]) {
  const folder = await makeFolder();
  const parts = await openLoaderAndStore(t, folder, { maxRows: 3 });
  const half = Math.floor(records.length / 2);
  await parts.append(records.slice(0, half));
  parts.start();
  await parts.settle();
  await parts.journal.rotate();
  await parts.append(records.slice(half));
  await parts.settle();
  await parts.close();
  return { ...parts, file: join(folder, 'ledger') };
}

const mixed = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    payloadOf(Math.floor(index / 2) * 2, { day: index % 3 === 0 ? '2026-02-28' : '2026-03-01' }),
  );

async function lines(file: string): Promise<string[]> {
  return (await readFile(file, 'latin1')).split('\n').slice(0, -1);
}

async function verify(folder: string, store: Parameters<typeof verifyBatches>[0]['store']) {
  return (await verifyBatches({
    folder,
    store,
    otherNodes: new Set(),
    isWanted: () => true,
    patienceMs: 0,
  }))!;
}

type Harm = { kind: 'flip' | 'remove' | 'cut'; at: number } | { kind: 'lose' };

const harm: fc.Arbitrary<Harm> = fc.oneof(
  fc.record({ kind: fc.constantFrom('flip' as const, 'remove' as const, 'cut' as const), at: fc.nat(60) }),
  fc.record({ kind: fc.constant('lose' as const) }),
);

async function inflict(file: string, change: Harm): Promise<void> {
  if (change.kind === 'lose') {
    await rm(file);
    return;
  }
  const all = await lines(file);
  const at = change.at % all.length;
  if (change.kind === 'flip') {
    const bytes = Buffer.from(all[at]!, 'latin1');
    bytes[(change.at * 7) % bytes.length]! ^= 4;
    all[at] = bytes.toString('latin1');
  } else if (change.kind === 'remove') all.splice(at, 1);
  else all.length = at;
  await writeFile(file, all.map((line) => `${line}\n`).join(''), 'latin1');
}

/** Every kind of harm happens in every run. */
const examples: [number, Harm[], boolean][] = [
  [14, [{ kind: 'lose' }], false],
  [14, ['flip', 'remove', 'cut'].map((kind, at) => ({ kind, at: at + 2 }) as Harm), true],
];

test('whatever happens to the ledger, each record is stored once, and verify says so', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 30 }),
      fc.array(harm, { minLength: 1, maxLength: 3 }),
      fc.boolean(),
      async (count, harms, isKilled) => {
        const records = mixed(count);
        const { folder, file, store, engine } = await loadSome(t, records);
        for (const [index, change] of harms.entries()) {
          await inflict(file, change);
          // The batches have other bounds than before, because they depend on when records arrive.
          const again = await openTestLoader(t, { folder, store, engine }, { maxRows: 4 + index });
          const more = [payloadOf(10_000 + index)];
          records.push(...more);
          await again.append(more);
          if (isKilled) store.faults.push('store one month, then fail');
          again.start();
          await again.settle();
          await again.close();
          assert.deepEqual(store.payloads().toSorted(), records.toSorted());
          assert.deepEqual((await verify(folder, store)).differences, []);
        }
      },
    ),
    { numRuns: times(6, 40), examples },
  );
});

test('a duplicate or missing row is a difference, whatever the ledger says', async (t) => {
  const { folder, store } = await loadSome(t, payloads(20));
  const row = store.rows()[7]!;
  for (const copy of [row, { ...row, batch: 900 }, { ...row, node: 'another' }]) {
    store.addRow(copy);
    const { differences } = await verify(folder, store);
    assert.deepEqual(
      differences.map(({ missing, surplus }) => ({ missing, surplus })),
      [{ missing: 0, surplus: 1 }],
    );
    store.removeRow(store.rows().length - 1);
  }
  store.removeRow(7);
  const { differences } = await verify(folder, store);
  assert.deepEqual(
    differences.map(({ missing, surplus }) => ({ missing, surplus })),
    [{ missing: 1, surplus: 0 }],
  );
  // One missing row and one duplicate add up to the right number.
  store.addRow(store.rows()[8]!);
  assert.equal((await verify(folder, store)).differences.length > 0, true);
});

test('what an older version loaded twice is stored once after the next start', async (t) => {
  const records = payloads(20);
  const { folder, store, engine, ledger } = await loadSome(t, records);
  // This is the result of a rebuilt ledger: other batches with other bounds, of the same node and of another
  // one.
  for (const [index, row] of [...store.rows()].entries()) {
    if (index < 9) store.addRow({ ...row, batch: 100 + Math.floor(index / 4) });
  }
  assert.equal((await verify(folder, store)).differences.length > 0, true);
  const again = await openTestLoader(t, { folder, store, engine });
  again.start();
  await again.settle();
  await again.close();
  assert.deepEqual(store.payloads().toSorted(), records.toSorted());
  assert.equal(again.ledger.node, ledger.node);
});

test('loads what the store lacks between other batches once, in a separate batch', async (t) => {
  const records = payloads(20);
  const { folder, file, store, engine } = await loadSome(t, records);
  await rm(file);
  // This is the last batch but one, so that the highest number is still taken.
  const isLost = ({ batch }: { batch: number }) => batch === 7;
  while (store.rows().some(isLost)) store.removeRow(store.rows().findIndex(isLost));
  const again = await openTestLoader(t, { folder, store, engine });
  again.start();
  await again.settle();
  await again.close();
  assert.deepEqual(store.payloads().toSorted(), records.toSorted());
  assert.deepEqual((await verify(folder, store)).differences, []);
});

test('what was loaded under another name is stored once after the next start', async (t) => {
  const records = payloads(20);
  const { folder, store, engine, ledger, file } = await loadSome(t, records);
  // An older version gave a journal without a ledger a new name, and loaded all of it again.
  const other = 'nffffffffff';
  await writeFile(file, formatLine({ node: other, format: 1 }));
  const renamed = await openTestLoader(t, { folder, store, engine });
  assert.notEqual(renamed.ledger.node, ledger.node);
  for (const row of [...store.rows()]) store.addRow({ ...row, node: other });
  await renamed.append([payloadOf(500)]);
  renamed.start();
  await renamed.settle();
  await renamed.close();
  assert.deepEqual(store.payloads().toSorted(), [...records, payloadOf(500)].toSorted());
});

test('a copy of a running server keeps rows that only the store has, and has the others once', async (t) => {
  const records = payloads(12);
  const { folder, store, engine, reopen } = await loadSome(t, records);
  const copy = await makeFolder();
  await cp(folder, copy, { recursive: true });
  // More records are loaded after the journal was copied and before the store was.
  const more = await reopen();
  await more.append(payloads(5, 100));
  more.start();
  await more.settle();
  await more.close();
  const again = await openTestLoader(t, { folder: copy, store, engine });
  await again.append(payloads(4, 200));
  again.start();
  await again.settle();
  await again.close();
  const all = [...records, ...payloads(5, 100), ...payloads(4, 200)];
  assert.deepEqual(store.payloads().toSorted(), all.toSorted());
  assert.deepEqual((await verify(copy, store)).differences, []);
});

test('an intact ledger needs no look at single records', async (t) => {
  const { folder, store, engine } = await loadSome(t, payloads(12));
  const listed = t.mock.method(store, 'listKeys');
  const again = await openTestLoader(t, { folder, store, engine });
  await again.append(payloads(3, 100));
  again.start();
  await again.settle();
  await again.close();
  assert.equal(listed.mock.callCount(), 0);
});
