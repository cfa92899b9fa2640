import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { times } from '../../test/support/long-form.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { payloadOf, payloads, useFolders } from '../journal/test-journal.ts';
import type { LoaderOptions } from './loader-options.ts';
import { openLoaderAndStore } from './test-loader.ts';
import type { Fault } from './test-store.ts';

const makeFolder = useFolders();
const open = async (t: TestContext, options: Partial<LoaderOptions> = {}) =>
  openLoaderAndStore(t, await makeFolder(), options);

/** Records of two months, so that each batch has two partitions. */
const mixed = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) =>
    payloadOf(from + index, { day: index % 2 === 0 ? '2026-02-28' : '2026-03-01' }),
  );

const faults: Fault[] = [
  'fail before storing',
  'store, then fail',
  'store one month, then fail',
  'fail, and store later',
  'store twice',
  'refuse',
];

for (const fault of faults.slice(0, 4)) {
  test(`after "${fault}" the engine is restarted, and each row is stored once`, async (t) => {
    const { store, engine, append, start, settle } = await open(t);
    store.faults.push(fault);
    await append(mixed(10));
    start();
    await settle();
    assert.deepEqual(store.payloads().toSorted(), mixed(10).toSorted());
    assert.deepEqual(engine.restarts, ['the outcome of batch 1 is unknown']);
    assert.deepEqual(store.batches(), [1], 'rows that are loaded again keep their batch');
  });
}

test('an outside store may go on with an INSERT that it has refused, so no INSERT is left running', async (t) => {
  const { store, engine, append, start, settle } = await open(t);
  store.faults.push('refuse');
  await append(mixed(10));
  start({ engine: { ...engine, isOutside: true } });
  await settle();
  assert.deepEqual(engine.restarts, ['the outcome of batch 1 is unknown']);
  assert.deepEqual(store.payloads().toSorted(), mixed(10).toSorted());
});

test('all batches of an outside store are counted again whenever it was away', async (t) => {
  const { store, engine, append, start, settle } = await open(t);
  await append(mixed(10));
  start({ engine: { ...engine, isOutside: true } });
  await settle();
  // An INSERT that was given up arrives after all, when its batch has been verified.
  for (const row of [...store.rows()]) store.addRow(row);
  engine.start();
  await waitFor('the rows to be there once', () => store.rows().length === 10);
  await settle();
  assert.deepEqual(store.payloads().toSorted(), mixed(10).toSorted());
});

test('after one of two months was stored, inserts only the other one', async (t) => {
  const { store, append, start, settle } = await open(t);
  store.faults.push('store one month, then fail');
  await append(mixed(11));
  start();
  await settle();
  assert.deepEqual(
    store.inserts.map(({ rows }) => rows),
    [11, 5],
  );
  assert.deepEqual(store.deletes, []);
});

test('a refusal by ClickHouse has a known outcome: no restart, and the rows are loaded again', async (t) => {
  const { store, engine, append, start, settle } = await open(t);
  store.faults.push('refuse', 'refuse');
  await append(mixed(10));
  start();
  await settle();
  assert.deepEqual(store.payloads().toSorted(), mixed(10).toSorted());
  assert.deepEqual(engine.restarts, []);
});

test('does not restart an engine that is already away', async (t) => {
  const { store, engine, append, start, settle } = await open(t);
  const insert = store.insertBatch.bind(store);
  const mocked = t.mock.method(store, 'insertBatch', async () => {
    engine.stop();
    throw new Error('socket closed');
  });
  await append(payloads(5));
  start();
  await waitFor('the INSERT', () => mocked.mock.callCount() === 1);
  mocked.mock.mockImplementation(insert);
  engine.start();
  await settle();
  assert.deepEqual(engine.restarts, []);
  assert.deepEqual(store.payloads(), payloads(5));
});

test('finds rows that were stored twice by counting, removes them and loads them once', async (t) => {
  const { store, append, start, settle } = await open(t);
  store.faults.push('store twice');
  await append(mixed(10));
  const loader = start();
  await waitFor('the INSERT', () => store.inserts.length === 1);
  assert.equal(loader.state().unverifiedBatches, 1, 'what the store said is not yet trusted');
  await settle();
  assert.deepEqual(store.payloads().toSorted(), mixed(10).toSorted());
  assert.equal(store.deletes.length, 2);
});

test('counts what it loaded every minute on its own', async (t) => {
  const { store, clock, append, start } = await open(t);
  store.faults.push('store twice');
  await append(payloads(4));
  const loader = start();
  await waitFor('the INSERT', () => store.inserts.length === 1);
  clock.pass(61_000);
  await waitFor('the count', () => loader.state().unverifiedBatches === 0);
  assert.deepEqual(store.payloads(), payloads(4));
});

test('rows are in the store exactly once after any sequence of faults and restarts', async (t) => {
  const fault = fc.constantFrom(undefined, ...faults);
  const round = fc.record({
    records: fc.integer({ min: 0, max: 25 }),
    faults: fc.array(fault, { maxLength: 3 }),
    next: fc.constantFrom('settle', 'rotate', 'restart', 'replace the store', 'crash of the engine'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(round, { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 3, max: 12 }),
      async (rounds, maxRows) => {
        const { store, engine, reopen, ...opened } = await open(t, { maxRows });
        let current: Awaited<ReturnType<typeof reopen>> = opened;
        current.start();
        const written: string[] = [];
        for (const { records, faults, next } of rounds) {
          store.faults.push(...faults);
          const added = mixed(records, written.length + 1);
          written.push(...added);
          await current.append(added);
          if (next === 'settle') await current.settle();
          else if (next === 'rotate') await current.journal.rotate();
          else if (next === 'crash of the engine') {
            engine.stop();
            engine.start();
          } else {
            await current.close();
            // When a store is replaced, it even loses rows that an INSERT with an unknown outcome would still
            // add.
            store.kill();
            if (next === 'replace the store') store.replace();
            current = await reopen();
            current.start();
          }
        }
        await current.settle();
        assert.deepEqual(store.payloads().toSorted(), written.toSorted());
        await current.close();
      },
    ),
    { numRuns: times(8, 60) },
  );
});
