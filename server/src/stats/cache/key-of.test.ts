import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '@trackside/contract/calendar/day.ts';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import type { BuiltDay } from '../days/ready-days.ts';
import type { StoreInTurn } from '../plan/ask-in-turn.ts';
import type { Question } from '../question/read-question.ts';
import { createAskLists, usualListLimits } from './ask-lists.ts';
import { createKeptScans } from './kept-scans.ts';
import { keyOf } from './key-of.ts';
import { createMatchingShares } from './matching-shares.ts';
import { createMissingShares } from './missing-shares.ts';

const longestKey = 70;
const filters: Filter[] = [{ dimension: 'page', anyOf: ['/a', `/${'b'.repeat(2000)}`] }];
const days = Array.from(
  { length: 1000 },
  (_, at): BuiltDay => ({
    day: addDays('2024-01-01', at),
    build: `${10n ** 18n + BigInt(at)}`,
    records: 1,
    clients: 0,
    isOpen: false,
    hasBase: false,
  }),
);
const period = { from: days[0]!.day, to: days.at(-1)!.day };
const ready = { days, builds: days, mayRepeat: false };
const question: Question = { period, metrics: [], dimensions: [], filters, order: [], limit: 1, offset: 0 };
const list: Question = { ...question, dimensions: [{ dimension: 'page' }], filters: [] };
/** What the store always answers: the dimension has too many values to keep. */
const row = { total: 5000, matching0: 1, missing0: 1, stretch: 0, dimension: 'page', sums: [], top: [] };

const store = {
  websiteId: 1,
  query: async () => [row],
  withSignal: () => store,
  inTurn: (ask: (turn: unknown) => unknown) => ask(store),
} as unknown as StoreInTurn;

test('the same text has the same key, and another text another one', () => {
  assert.equal(keyOf('a'), keyOf('a'));
  assert.notEqual(keyOf('a'), keyOf('b'));
});

const caches: Record<string, () => Promise<unknown>> = {
  'counts of visits': () => createKeptScans(usualListLimits)(store, [question], ready),
  'counts of minutes': () => {
    const ofMinutes = { ...question, period: { ...period, fromTime: '00:00', toTime: '12:00' } };
    return createKeptScans(usualListLimits)(store, [ofMinutes], ready);
  },
  'lists, short and long': () => createAskLists(usualListLimits)(store, [list], days),
  'shares that match': () => createMatchingShares()(store, filters, days),
  'shares that don’t match': () => createMissingShares()(store, filters, days),
};

for (const [name, ask] of Object.entries(caches)) {
  test(`keeps no builds and no filters in the keys of ${name}`, async (t) => {
    const set = t.mock.method(Map.prototype, 'set');
    await ask();
    const keys = set.mock.calls.map(({ arguments: [key] }) => key).filter((key) => typeof key === 'string');
    assert.ok(keys.length > 0);
    assert.deepEqual(
      keys.filter((key) => key.length > longestKey),
      [],
    );
  });
}
