import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebsiteStore } from '../../store/website-store.ts';
import { createAsOf } from './as-of.ts';
import type { DayState } from './read-days.ts';

/** A day with a record that its build lacks. */
function staleDay(build: number): DayState {
  const records = { records: 1, checksum: '1', clients: 0, asOfMs: 10 };
  return {
    day: '2026-06-01',
    records: 2,
    checksum: '3',
    built: { ...records, build: String(build), isOpen: true, rules: '', base: undefined },
  };
}

test('remembers what builds lack, but not of every build that other nodes have ever replaced', async () => {
  let questions = 0;
  const query = async () => {
    questions += 1;
    return [{ first_ms: 50 }];
  };
  const store = { websiteId: 1, query } as unknown as WebsiteStore;
  const asOf = createAsOf();
  const ask = (builds: number[]) => asOf.ofDays(store, builds.map(staleDay), 100);
  assert.equal(await ask([1]), 49);
  assert.equal(await ask([1]), 49);
  assert.equal(questions, 1);
  await ask(Array.from({ length: 10_000 }, (_, at) => at + 2));
  assert.equal(questions, 10_001);
  await ask([10_001]);
  assert.equal(questions, 10_001, 'those of the latest builds are still known');
  await ask([1]);
  assert.equal(questions, 10_002, 'the oldest was forgotten');
});
