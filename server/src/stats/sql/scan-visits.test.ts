import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { Question } from '../question/read-question.ts';
import { unknownPlace } from './group-keys.ts';
import { groupScans, scanVisits } from './scan-visits.ts';

const listOf = (dimension: DimensionName): Question => ({
  period: { from: '2026-03-01', to: '2026-03-30' },
  metrics: ['visits'],
  dimensions: [{ dimension }],
  filters: [{ dimension: 'page', contains: 'a' }],
  order: [{ by: 'visits', descending: true }],
  limit: 10,
  offset: 0,
});
const lists = [listOf('country'), listOf('device'), listOf('city')];

/** Returns a store that gives these answers, one after the other, and notes the statements. */
function openAnsweringStore(...answers: unknown[][]) {
  const statements: string[] = [];
  const query = async (asked: { query: string }) => {
    statements.push(asked.query);
    return answers[statements.length - 1]!;
  };
  return { statements, store: { websiteId: 1, query } as unknown as WebsiteStore };
}

const valuesFound = [
  { dimension: 'country', found: ['DE', 'FR'] },
  { dimension: 'device', found: ['desktop', 'mobile'] },
];
const setsOf = (statement: string) => /grouping sets \((\(.*?\))\)/.exec(statement)?.[1];

test('counts visits once for all lists with few values', async () => {
  const { store, statements } = openAnsweringStore(valuesFound, []);
  await scanVisits(store, lists, [{ build: '1' }], true);
  assert.equal(setsOf(statements[1]!), '(group0), (key2)');
});

test('does not look for values if there are few records', async () => {
  const { store, statements } = openAnsweringStore([]);
  await scanVisits(store, lists, [{ build: '1' }], false);
  assert.deepEqual(statements.map(setsOf), ['(key0), (key1), (key2)']);
});

test('counts by each key if a visit has a value that was not found', async () => {
  const top = [[[-1], '\ufffd', 0, 1, 0, 0, 0, 0, 0]];
  const { store, statements } = openAnsweringStore(
    valuesFound,
    [{ split: unknownPlace, total: 1, top0: top }],
    [{ split: 0, total: 1, top0: top }],
  );
  const [countries] = await scanVisits(store, lists, [{ build: '1' }], true);
  assert.deepEqual(
    countries!.rows.map(({ values, counts }) => [...values, counts.visits]),
    [['\ufffd', 1]],
  );
  assert.equal(setsOf(statements[2]!), '(key0), (key1), (key2)');
});

test('counts lists of records with those of visits in one statement only if there are filters, or for a change', () => {
  const filtered = [listOf('country'), listOf('page'), listOf('device')];
  const grouped = (questions: Question[]) =>
    groupScans(questions).map((group) => group.map((question) => questions.indexOf(question)));
  assert.deepEqual(grouped(filtered), [[0, 1, 2]]);
  const all = filtered.map((question) => ({ ...question, filters: [] }));
  assert.deepEqual(grouped(all), [[0, 2], [1]]);
  const change = { builds: ['3'], before: ['1', '2'] };
  assert.deepEqual(grouped(all.map((question) => ({ ...question, change }))), [[0, 1, 2]]);
});
