import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import type { BuiltDay } from '../days/ready-days.ts';
import type { StoreInTurn } from '../plan/ask-in-turn.ts';
import { noCounts } from '../question/metrics.ts';
import type { Question } from '../question/read-question.ts';
import { usualListLimits } from './ask-lists.ts';
import { type CountDays, createKeptScans } from './kept-scans.ts';

const day = (name: string, isOpen: boolean): BuiltDay => ({
  day: name,
  build: name.slice(-1),
  records: 1,
  clients: 0,
  isOpen,
  hasBase: false,
});
const days = [day('2026-03-01', false), day('2026-03-02', true)];
const ready = { days, builds: days, mayRepeat: false };
const question: Question = {
  period: { from: '2026-03-01', to: '2026-03-02' },
  metrics: ['visitors'],
  dimensions: [],
  filters: [{ dimension: 'page', contains: 'a' }],
  order: [],
  limit: 1,
  offset: 0,
};

/** Returns a store that notes which days its statements read. */
function openNotedStore() {
  const read: unknown[] = [];
  const query = async ({ params }: { params: Record<string, unknown> }) => {
    read.push(Object.values(params).find(Array.isArray));
    return [];
  };
  const store = {
    websiteId: 1,
    withSignal: () => store,
    inTurn: (ask: (turn: unknown) => unknown) => ask({ query }),
  };
  return { read, store: store as unknown as StoreInTurn };
}

/** Takes a moment to find out that only the visits can answer. */
const nothingCheaper: CountDays = async () => {
  await nextTurn();
  return undefined;
};

test('reads days that have ended before those that may change, because they take longest', async () => {
  const { store, read } = openNotedStore();
  await createKeptScans(usualListLimits)(store, [question], ready, undefined, nothingCheaper);
  assert.deepEqual(read, [[1n], [2n]]);
});

test('reads days that may change even if the others need no statement', async () => {
  const { store, read } = openNotedStore();
  const kept = createKeptScans(usualListLimits);
  await kept(store, [question], ready, undefined, async () => [{ rows: [], totalRows: 0 }]);
  assert.deepEqual(read, [[2n]]);
});

test('reads no days that may change when the others can’t be counted', async () => {
  const { store, read } = openNotedStore();
  const asked = createKeptScans(usualListLimits)(store, [question], ready, undefined, () =>
    Promise.reject(new Error('the store is away')),
  );
  await assert.rejects(asked, { message: 'the store is away' });
  assert.deepEqual(read, []);
});

test('keeps no more answers than there is room for with the texts of their values', async () => {
  const { store } = openNotedStore();
  const kept = createKeptScans({ ...usualListLimits, keptBytes: 100_000 });
  const rows = [{ time: undefined, values: ['a'.repeat(2000)], counts: noCounts }];
  let counted = 0;
  const countCities: CountDays = async () => {
    counted += 1;
    return [{ rows, totalRows: 1 }];
  };
  const ended = { ...ready, days: days.slice(0, 1) };
  const ask = (country: number) => {
    const filters: Filter[] = [{ dimension: 'country', is: `${country}` }];
    const order = [{ by: 'visitors' as const, descending: true }];
    const cities: Question = { ...question, dimensions: [{ dimension: 'city' }], filters, order };
    return kept(store, [cities], ended, undefined, countCities);
  };
  for (let country = 0; country < 100; country += 1) await ask(country);
  assert.equal(counted, 100);
  let latest = 99;
  while (counted === 100) await ask(latest--);
  const found = 98 - latest;
  assert.ok(found > 5 && found < 100_000 / 4000, `${found} answers are kept`);
});
