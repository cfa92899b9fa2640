import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import type { Question } from '../question/read-question.ts';
import type { StoreInTurn } from './ask-in-turn.ts';
import { createSources, openScreen, planScreen } from './plan-screen.ts';

const whole: Question = {
  period: { from: '2026-03-01', to: '2026-03-30' },
  metrics: ['visitors'],
  dimensions: [],
  filters: [],
  order: [{ by: 'visitors', descending: true }],
  limit: 10,
  offset: 0,
};
const series: Question = { ...whole, interval: 'day', order: [] };
const listOf = (dimension: DimensionName, more: Partial<Question> = {}): Question => ({
  ...whole,
  dimensions: [{ dimension }],
  ...more,
});
const german = (): Filter[] => [
  { dimension: 'country', is: 'DE' },
  { dimension: 'device', is: 'mobile' },
];

/** Returns the plan, with each question as its index. */
const planned = (questions: readonly Question[], hasClients = false, few: Filter[][] = []) =>
  planScreen(questions, hasClients, few).map(({ source, questions: of }) => [
    source,
    ...of.map((question) => questions.indexOf(question)),
  ]);

test('combines lists in the same order into one step, but not sums of days', () => {
  const questions = [
    whole,
    listOf('source'),
    series,
    listOf('page'),
    listOf('country', { limit: 100 }),
    listOf('city', { order: [{ by: 'pageViews', descending: true }] }),
  ];
  assert.deepEqual(planned(questions), [
    ['days', 0],
    ['lists', 1, 3],
    ['days', 2],
    ['lists', 4],
    ['lists', 5],
  ]);
});

test('combines questions about the same visits into one step, however their filters are written', () => {
  const questions = [
    { ...whole, filters: german() },
    { ...series, filters: german() },
    listOf('source', { filters: german() }),
    listOf('city', { filters: german(), limit: 3 }),
    { ...whole, filters: german(), goal: { event: 'Signup' } },
    { ...whole, filters: german().toReversed() },
  ];
  assert.deepEqual(planned(questions), [
    ['visits', 0, 1, 2, 3],
    ['visits', 4],
    ['visits', 5],
  ]);
});

test('minutes of the same days are different visits', () => {
  const minutes = { ...whole.period, fromTime: '10:00', toTime: '11:00' };
  const questions = [
    { ...whole, filters: german() },
    { ...whole, filters: german(), period: minutes },
  ];
  assert.deepEqual(planned(questions), [
    ['visits', 0],
    ['visits', 1],
  ]);
});

test('asks separately what goes through the records of each visit', () => {
  const questions = [
    listOf('page', { filters: german() }),
    listOf('event', { filters: german() }),
    { ...series, interval: 'hour' as const, filters: german() },
    listOf('visitorType', { filters: german() }),
    listOf('source', { filters: german(), offset: 10 }),
    { ...whole, filters: german(), offset: 1 },
  ];
  assert.deepEqual(
    planned(questions),
    questions.map((_, at) => ['visits', at]),
  );
});

test('a filter by one value is a row of the sums, but with ClientIds it needs the visits', () => {
  const ofCountry = { ...whole, filters: german().slice(0, 1) };
  assert.deepEqual(planned([ofCountry, listOf('country', { filters: german().slice(0, 1) })]), [
    ['rollups', 0],
    ['rollups', 1],
  ]);
  assert.deepEqual(planned([ofCountry], true), [['visits', 0]]);
});

test('adds up days with ClientIds for the total and all lists in one step', () => {
  const questions = [
    whole,
    listOf('source'),
    listOf('page', { limit: 100 }),
    listOf('event'),
    series,
    { ...series, interval: 'week' as const },
    { ...series, interval: 'hour' as const },
    { ...whole, offset: 1 },
    listOf('weekday'),
    listOf('source', { limit: 101 }),
    listOf('source', { goal: { event: 'Signup' } }),
  ];
  assert.deepEqual(planned(questions, true), [
    ['returning', 0, 1, 2, 3],
    ['days', 4],
    ['returning', 5],
    ['rollups', 6],
    ['returning', 7],
    ['visits', 8, 9],
    ['visits', 10],
  ]);
});

test('a failure that no question waits for does not end the process', async (t) => {
  const unseen: unknown[] = [];
  const note = (error: unknown) => unseen.push(error);
  process.on('unhandledRejection', note);
  t.after(() => process.off('unhandledRejection', note));
  const away = new Error('the store is away');
  const store = { withSignal: () => store } as unknown as StoreInTurn;
  const screen = openScreen(
    {
      store,
      sources: createSources(),
      readyAll: (all) => all.map(() => Promise.reject(away)),
      signal: undefined,
    },
    { periods: [whole.period, { from: '2026-02-01', to: '2026-02-27' }], questions: [whole, series] },
  );
  await assert.rejects(screen.ready(whole.period), away);
  await setImmediate();
  assert.deepEqual(unseen, []);
});

test('counts lists of records along with the visits only if few visits match', () => {
  const filters = (): Filter[] => [...german(), { dimension: 'event', is: 'Signup' }];
  const questions = [
    { ...whole, filters: filters() },
    listOf('source', { filters: filters() }),
    listOf('page', { filters: filters() }),
    listOf('parameterName', { filters: filters() }),
    listOf('event', { filters: filters() }),
    listOf('event', { filters: german() }),
  ];
  assert.deepEqual(planned(questions), [
    ['visits', 0, 1],
    ['visits', 2],
    ['visits', 3],
    ['visits', 4],
    ['visits', 5],
  ]);
  assert.deepEqual(planned(questions, false, [filters()]), [
    ['visits', 0, 1, 2, 4],
    ['visits', 3],
    ['visits', 5],
  ]);
});
