import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { createFakeClock, makeFolder, silentLog } from '../control/test-control.ts';
import { forgetDamage, openDamageLog } from '../damage/damage-log.ts';
import { dataFolder } from '../files/data-folder.ts';
import type { StorePart } from '../store/parts.ts';
import { emptyState, type LedgerState } from './ledger-state.ts';
import { openLedger } from './open-ledger.ts';
import { replaceStore } from './replace-store.ts';
import { countOnlyInStore, reportGoneStore } from './report-gone-store.ts';
import { batchOf } from './test-ledger.ts';

const clock = createFakeClock('2026-03-10T09:00:00Z');
const [old, next] = [randomUUID(), randomUUID()];
const id = `store-gone-${old}`;

async function open(t: TestContext) {
  const folder = dataFolder(await makeFolder(t));
  const damage = await openDamageLog({ folder: folder.damage, clock, log: silentLog() });
  const parts: StorePart[] = [];
  const ledgers: LedgerState[] = [];
  const options = { store: { listParts: async () => parts }, ledgers: async () => ledgers, damage };
  const report = async (rows: number | undefined) => {
    const onlyInStore = rows === undefined ? undefined : { rows, forgottenThen: 0 };
    ledgers[0] = { ...(ledgers[0] ?? emptyState('a')), onlyInStore };
    await reportGoneStore(options, { before: old, now: next });
  };
  return { folder, damage, parts, ledgers, options, report };
}

const part = (rows: number): StorePart => ({ table: 'records', name: 'a', partition: '202603', rows });

test('reports records that only the store had, until it is back', async (t) => {
  const { damage, parts, options, report } = await open(t);
  await report(1234);
  const [gone] = await damage.list();
  assert.deepEqual([gone?.id, gone?.kind], [id, 'store-gone']);
  assert.match(gone?.says ?? '', /^about 1,234 records are lost: the store was missing/);
  assert.match(gone?.todo ?? '', new RegExp(`--forget ${id}$`));
  parts.push(part(1234));
  await reportGoneStore(options, { before: next, now: old });
  assert.deepEqual(await damage.list(), []);
});

test('reports nothing if the journal has all records, or another store has them', async (t) => {
  const { damage, parts, ledgers, report } = await open(t);
  await report(0);
  await report(undefined);
  parts.push(part(5));
  await report(5);
  assert.deepEqual(await damage.list(), []);
  parts.length = 0;
  ledgers[0] = { ...emptyState('a'), forgotten: { batches: 1, rows: 1, lastReceivedAt: '' } };
  await report(undefined);
  assert.match((await damage.list())[0]?.says ?? '', /^about 1 record is lost/, 'an older ledger says so');
});

test('reports no store that an operator set aside', async (t) => {
  const { folder, damage, options, report } = await open(t);
  const ledger = await openLedger({ folder: folder.journal });
  await ledger.setStore(old, { rows: 5, forgottenThen: 0 });
  await ledger.close();
  await replaceStore(folder, clock.now());
  await report(5);
  assert.equal((await damage.list()).length, 1, 'there was none to set aside');
  assert.ok(await forgetDamage(folder.damage, id));
  await mkdir(folder.store);
  await replaceStore(folder, clock.now());
  await report(5);
  assert.deepEqual(await damage.list(), []);
  await reportGoneStore(options, { before: next, now: old });
  await report(5);
  assert.equal((await damage.list()).length, 1, 'it was put back, and is gone again');
});

test('counts the records that are in no journal', async (t) => {
  const { parts, ledgers, options } = await open(t);
  parts.push(part(7), part(4), { ...part(100), table: 'open_visits' });
  const withBatch = {
    ...emptyState('a'),
    batches: new Map([[1, { ...batchOf(1, 1), months: { 202603: 3 } }]]),
  };
  ledgers.push(withBatch, { ...withBatch, node: 'b' });
  assert.deepEqual(await countOnlyInStore(options, 0), { rows: 5, forgottenThen: 0 });
  ledgers[1]!.forgotten = { batches: 1, rows: 3, lastReceivedAt: '' };
  assert.deepEqual(await countOnlyInStore(options, 2), { rows: 7, forgottenThen: 3 });
});
