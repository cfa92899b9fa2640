import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { times } from '../../test/support/long-form.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { payloads, useFolders } from '../journal/test-journal.ts';
import type { BeforeRemoval } from '../store/salvage-part.ts';
import { openLoaderAndStore, openTestLoader } from './test-loader.ts';

const makeFolder = useFolders();

/** The last batch has another number of rows than any others together. */
const batchRows = 3;
const lastRows = 2;

type Crash = {
  /** The numbers of batches in the first and the second segment, without the last one. */
  first: number;
  second: number;
  /** Whether the journal has lost the first segment, so that only the store has its records. */
  isFirstGone: boolean;
  /** The batches whose rows were in a part that can't be opened. The last one is never among them. */
  broken: number[];
  /** What happened to the last batch. A crash can come before its INSERT. */
  last: 'stored' | 'in the broken part' | 'never inserted';
  harm: 'none' | 'a line is flipped' | 'a line is lost' | 'the last line is lost' | 'the ledger is gone';
  at: number;
};

const crash: fc.Arbitrary<Crash> = fc.record({
  first: fc.integer({ min: 1, max: 4 }),
  second: fc.integer({ min: 1, max: 4 }),
  isFirstGone: fc.boolean(),
  broken: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 }),
  last: fc.constantFrom('stored', 'in the broken part', 'never inserted'),
  harm: fc.constantFrom(
    'none',
    'a line is flipped',
    'a line is lost',
    'the last line is lost',
    'the ledger is gone',
  ),
  at: fc.nat(100),
});

test('reports exactly what is lost with an unreadable part, whatever happened to the ledger', async (t) => {
  await fc.assert(
    fc.asyncProperty(crash, async (crash) => {
      const { told, lost } = await restartAfter(t, crash);
      // Then only the journal knows about the last batches, and it can't tell whether they were in the part.
      const isEndUnknown = crash.harm === 'the last line is lost' || crash.harm === 'the ledger is gone';
      if (isEndUnknown) assert.ok(told >= lost, `${lost} records are lost, and ${told} are told`);
      else if (lost > 0 && crash.last === 'in the broken part') assert.equal(told, lost + lastRows);
      else assert.equal(told, lost);
    }),
    { numRuns: times(20, 200) },
  );
});

test('counts the records of a part and of those that it was merged from once', async (t) => {
  const folder = await makeFolder();
  const { store, engine, ...first } = await openLoaderAndStore(t, folder, { maxRows: batchRows });
  await first.append(payloads(2 * batchRows));
  first.start();
  await first.settle();
  await first.close();
  while (store.rows().length > 0) store.removeRow(0);
  const broken = { '202603_1_2_1_3': 6, '202603_1_2_1': 6, '202603_1_1_0': 3, '202603_2_2_0': 3 };
  for (const [name, rows] of Object.entries(broken)) {
    const path = join(folder, `broken-on-start_${name}`);
    await mkdir(path);
    await writeFile(join(path, 'count.txt'), String(rows));
    store.brokenParts.push({ table: 'records', name: `broken-on-start_${name}`, path });
  }
  const again = await openTestLoader(t, { folder, store, engine });
  again.start({ engine: { ...engine, hasBrokenParts: () => true } });
  await again.settle();
  assert.equal(store.rows().length, 2 * batchRows);
  assert.deepEqual(await again.damage.list(), []);
});

test('mends a part once that is found damaged again while it is being mended', async (t) => {
  const { store, ledger, append, start, settle } = await openLoaderAndStore(t, await makeFolder());
  await append(payloads(6));
  const loader = start();
  await settle();
  const end = ledger.state.batchedTo;
  const released = Promise.withResolvers<void>();
  const salvage = t.mock.method(store, 'salvagePart', async () => {
    await released.promise;
    return { kept: 6 };
  });
  const part = { table: 'records', name: '202603_1_1_0', partition: '202603', rows: 6 };
  loader.mend(part);
  await waitFor('the part to be mended', () => salvage.mock.callCount() === 1);
  loader.mend(part);
  released.resolve();
  await waitFor('everything to be compared', () => loader.isVerifiedTo(end));
  assert.equal(salvage.mock.callCount(), 1);
  // The same damage, found later, is new.
  loader.mend(part);
  await waitFor('the part to be mended again', () => salvage.mock.callCount() === 2);
});

/** Something is being built until `built` is called. */
function holdBuildTurn(t: TestContext) {
  const { promise, resolve: built } = Promise.withResolvers<void>();
  let isOver = false;
  const takeBuildTurn = t.mock.fn(async (work: () => Promise<void>) => {
    await promise;
    await work();
    isOver = true;
  });
  return { built, takeBuildTurn, isTurnOver: () => isOver };
}

test('takes a damaged part out only while nothing is being built, and loads records until then', async (t) => {
  const { store, ledger, append, start, settle } = await openLoaderAndStore(t, await makeFolder());
  await append(payloads(6));
  const { built, takeBuildTurn, isTurnOver } = holdBuildTurn(t);
  const loader = start({ takeBuildTurn });
  await settle();
  const end = ledger.state.batchedTo;
  const salvage = t.mock.method(store, 'salvagePart', async () => ({ kept: 6 }));
  loader.mend({ table: 'records', name: '202603_1_1_0', partition: '202603', rows: 6 });
  await waitFor('the turn to be asked for', () => takeBuildTurn.mock.callCount() === 1);
  // Whoever removes records waits for this, and may hold the turn.
  await loader.batchEnded();
  await append(payloads(3));
  await waitFor('new records to be loaded meanwhile', () => store.rows().length === 9);
  assert.equal(salvage.mock.callCount(), 0);
  assert.equal(loader.isVerifiedTo(end), false, 'the journal keeps what the part may have lost');
  built();
  await waitFor('the part to be mended', () => salvage.mock.callCount() === 1);
  await waitFor('the end of the turn', isTurnOver);
  await waitFor('everything to be compared', () => loader.isVerifiedTo(end));
  assert.equal(takeBuildTurn.mock.callCount(), 1);
});

test('passes a turn on that comes after the loader was stopped', async (t) => {
  const { store, append, start, settle } = await openLoaderAndStore(t, await makeFolder());
  await append(payloads(6));
  const { built, takeBuildTurn, isTurnOver } = holdBuildTurn(t);
  const loader = start({ takeBuildTurn });
  await settle();
  const salvage = t.mock.method(store, 'salvagePart', async () => ({ kept: 6 }));
  loader.mend({ table: 'records', name: '202603_1_1_0', partition: '202603', rows: 6 });
  await waitFor('the turn to be asked for', () => takeBuildTurn.mock.callCount() === 1);
  await loader.stop({ withinMs: 10_000 });
  built();
  await waitFor('the end of the turn', isTurnOver);
  assert.equal(salvage.mock.callCount(), 0);
});

test('counts what is lost of a part that was taken out before the engine failed, and nothing of one that was not', async (t) => {
  const { store, append, start, settle, damage } = await openLoaderAndStore(t, await makeFolder());
  await append(payloads(6));
  const loader = start();
  await settle();
  const of = (name: string) => ({ table: 'records', name, partition: '202603', rows: 6 });
  const [taken, left] = [of('202602_1_1_0'), of('202602_2_2_0')];
  t.mock.method(store, 'listParts', async () => [left]);
  const salvage = t.mock.method(
    store,
    'salvagePart',
    async (_part: unknown, _reloaded: unknown, beforeRemoval: BeforeRemoval) => {
      await beforeRemoval(2);
      throw new Error('the engine has ended');
    },
  );
  for (const part of [taken, left]) loader.mend(part);
  await waitFor('both to be tried', () => salvage.mock.callCount() === 2);
  await waitFor('everything to be compared', loader.isPrepared);
  const says = (await damage.list()).map((one) => one.says);
  assert.equal(says.length, 1, says.join());
  assert.match(says[0]!, /^4 records of .* are lost: part 202602_1_1_0 /);
});

test('tries to mend a part again, and the journal keeps its records meanwhile, for half an hour', async (t) => {
  const { store, ledger, append, start, settle, clock } = await openLoaderAndStore(t, await makeFolder());
  await append(payloads(6));
  const loader = start();
  await settle();
  const end = ledger.state.batchedTo;
  const salvage = t.mock.method(store, 'salvagePart', async (): Promise<{ kept: number }> => {
    throw new Error('the engine has ended');
  });
  const part = { table: 'records', name: '202603_1_1_0', partition: '202603', rows: 6 };
  loader.mend(part);
  for (const [tries, minutes] of [1, 2, 4, 8, 16].entries()) {
    await waitFor('the part to be tried', () => salvage.mock.callCount() === tries + 1);
    await waitFor('everything to be compared', loader.isPrepared);
    assert.equal(loader.isVerifiedTo(end), tries === 4, `after ${tries + 1} tries`);
    clock.pass(minutes * 60_000 - 1);
    await append(payloads(1));
    await waitFor('the record to be loaded', () => store.rows().length === 7 + tries);
    assert.equal(salvage.mock.callCount(), tries + 1);
    clock.pass(1);
  }
  salvage.mock.mockImplementation(async () => ({ kept: 6 }));
  await waitFor('the part to be mended', () => salvage.mock.callCount() === 6);
  await settle();
});

test('a kill before the lost records are counted leaves a note that some may be', async (t) => {
  const { store, append, start, settle, damage, close, reopen } = await openLoaderAndStore(
    t,
    await makeFolder(),
  );
  await append(payloads(6));
  const loader = start();
  await settle();
  const part = { table: 'records', name: '202603_1_1_0', partition: '202603', rows: 6 };
  const listed = async () => (await damage.list()).map(({ id }) => id);
  const salvage = t.mock.method(
    store,
    'salvagePart',
    async (_part: unknown, _reloaded: unknown, beforeRemoval: BeforeRemoval) => {
      await beforeRemoval(2);
      while (store.rows().length > 2) store.removeRow(2);
      return { kept: 2 };
    },
  );
  loader.mend(part);
  await waitFor('the part to be mended', () => salvage.mock.callCount() === 1);
  await settle();
  assert.deepEqual(await listed(), [], 'the journal has them');
  assert.equal(store.rows().length, 6);

  t.mock.method(store, 'migrate', () => Promise.reject(new Error('the engine is busy')));
  loader.mend(part);
  await waitFor('a failure', () => loader.state().lastError !== undefined);
  await close();
  t.mock.restoreAll();
  const again = await reopen();
  again.start();
  await again.settle();
  const [unsure, ...others] = await again.damage.list();
  assert.equal(unsure?.id, 'store-part-records-202603-1-1-0-unsure');
  assert.match(unsure.says, /^up to 4 records of 2026-03 may be lost: part 202603_1_1_0 of the store/);
  assert.deepEqual(others, []);
});

/** Returns how many records the server says are lost, and how many are. */
async function restartAfter(t: TestContext, crash: Crash): Promise<{ told: number; lost: number }> {
  const folder = await makeFolder();
  const parts = await openLoaderAndStore(t, folder, { maxRows: batchRows });
  const { store, engine, journal, ledger } = parts;
  const inFirst = crash.first * batchRows;
  const records = payloads(inFirst + crash.second * batchRows + lastRows);
  await parts.append(records.slice(0, inFirst));
  await journal.rotate();
  await parts.append(records.slice(inFirst));
  parts.start();
  await parts.settle();
  if (crash.isFirstGone) {
    await journal.remove(1);
    await ledger.forgetSegment(1);
  }
  await parts.close();

  const last = crash.first + crash.second + 1;
  const removeRows = (batches: ReadonlySet<number>): number => {
    const indexes = [...store.rows().keys()].filter((index) => batches.has(store.rows()[index]!.batch));
    for (const index of indexes.reverse()) store.removeRow(index);
    return indexes.length;
  };
  if (crash.last === 'never inserted') removeRows(new Set([last]));
  const broken = crash.broken.filter((batch) => batch < last);
  if (crash.last === 'in the broken part') broken.push(last);
  const path = join(folder, 'broken-on-start_202603_1_9_1');
  await mkdir(path);
  await writeFile(join(path, 'count.txt'), String(removeRows(new Set(broken))));
  store.brokenParts.push({ table: 'records', name: 'broken-on-start_202603_1_9_1', path });
  await harmLedger(join(folder, 'ledger'), crash);

  const again = await openTestLoader(t, { folder, store, engine });
  again.start({ engine: { ...engine, hasBrokenParts: () => true } });
  await again.settle();
  await again.close();
  const stored = store.payloads();
  assert.equal(new Set(stored).size, stored.length, 'expected no record twice');
  const says = (await again.damage.list()).map((damage) => damage.says);
  const told = says.map((text) => Number(/^up to (\d+) records? /.exec(text)?.[1]));
  return { told: told.reduce((sum, rows) => sum + rows, 0), lost: records.length - stored.length };
}

async function harmLedger(file: string, { harm, at }: Crash): Promise<void> {
  if (harm === 'the ledger is gone') return await rm(file);
  // The crash came before the batches were counted.
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => !line.includes('{"verified"'));
  const batches = [...lines.keys()].filter((index) => lines[index]!.includes('{"batch"'));
  const last = batches.pop()!;
  const chosen = batches[at % batches.length];
  if (harm === 'the last line is lost') lines.splice(last, 1);
  else if (harm === 'a line is lost' && chosen !== undefined) lines.splice(chosen, 1);
  else if (harm === 'a line is flipped' && chosen !== undefined)
    lines[chosen] = lines[chosen]!.replace('{"batch"', '{"catch"');
  await writeFile(file, lines.join('\n'));
}
