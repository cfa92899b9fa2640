import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  botsTable,
  funnelTable,
  goalsTable,
  liveTable,
  pathsTable,
  retentionTable,
} from './report-tables.ts';
import { toCsv } from './to-csv.ts';
import type { Table } from './to-table.ts';

const csvOf = ({ header, rows }: Table) => toCsv(header, rows).trimEnd().split('\r\n');

test('live visitors have a row for each minute', () => {
  const minutes = [
    { minutesAgo: 1, visitors: 3, pageViews: 5 },
    { minutesAgo: 0, visitors: 0, pageViews: 0 },
  ];
  assert.deepEqual(csvOf(liveTable({ visitors: 3, minutes })), [
    'minutesAgo,visitors,pageViews',
    '1,3,5',
    '0,0,0',
  ]);
});

test('bots have the columns of the requested dimensions', () => {
  const row = { records: 4, days: 2, lastAt: '2026-03-10T14:25:09' };
  const rows = [{ dimensions: { page: '/a,b', bot: 'GPTBot' }, ...row }];
  assert.deepEqual(csvOf(botsTable({ totalRows: 1, rows }, { dimensions: ['page', 'bot'] })), [
    'page,bot,records,days,lastAt',
    '"/a,b",GPTBot,4,2,2026-03-10T14:25:09',
  ]);
  const usual = botsTable({ totalRows: 1, rows: [{ dimensions: { bot: '=1+1' }, ...row }] }, {});
  assert.deepEqual(csvOf(usual), ['bot,records,days,lastAt', "'=1+1,4,2,2026-03-10T14:25:09"]);
  const none = { dimensions: {}, records: 0, days: 0, lastAt: null };
  assert.deepEqual(csvOf(botsTable({ totalRows: 1, rows: [none] }, { dimensions: [] })), [
    'records,days,lastAt',
    '0,0,',
  ]);
});

test('a funnel has a row for each step', () => {
  const parameter = { name: 'plan', value: 'pro' };
  const steps = [
    { step: { page: '/pricing' }, visitors: 4, shareOfFirst: 1, shareOfPrevious: null },
    { step: { event: 'Signup', parameter }, visitors: 1, shareOfFirst: 0.25, shareOfPrevious: 0.25 },
    { step: { event: 'Login' }, visitors: 0, shareOfFirst: 0, shareOfPrevious: 0 },
  ];
  assert.deepEqual(csvOf(funnelTable({ visitorsAre: 'daily', steps })), [
    'step,page,event,parameterName,parameterValue,visitors,shareOfFirst,shareOfPrevious',
    '1,/pricing,,,,4,1,',
    '2,,Signup,plan,pro,1,0.25,0.25',
    '3,,Login,,,0,0,0',
  ]);
});

test('retention has a row for each week, and nothing for future weeks', () => {
  const cohorts = [
    { week: '2026-03-02', visitors: 4, weeks: [4, 0, 1] },
    { week: '2026-03-09', visitors: 2, weeks: [2, 1] },
    { week: '2026-03-16', visitors: 0, weeks: [0] },
  ];
  assert.deepEqual(csvOf(retentionTable({ visitorsWithoutClientId: 9, cohorts })), [
    'week,visitors,week 1,week 2',
    '2026-03-02,4,0,1',
    '2026-03-09,2,1,',
    '2026-03-16,0,,',
  ]);
});

test('goals have a row each, with a page or an event', () => {
  const goals = [
    { id: 1, name: 'Sign-up', goal: { event: 'Signup' }, conversions: 3, conversionRate: 0.3 },
    { id: 4, name: null, goal: { page: '/thanks' }, conversions: 0, conversionRate: 0 },
  ];
  const answer = { visitorsAre: 'daily' as const, visitors: 10, goals };
  assert.deepEqual(csvOf(goalsTable(answer)), [
    'id,name,page,event,conversions,conversionRate',
    '1,Sign-up,,Signup,3,0.3',
    '4,,/thanks,,0,0',
  ]);
  const before = { conversions: 1, conversionRate: null };
  const comparison = { from: '2026-03-01', to: '2026-03-02' };
  const compared = { ...answer, comparison, goals: [{ ...goals[0]!, comparison: before }] };
  assert.deepEqual(csvOf(goalsTable(compared)), [
    'id,name,page,event,conversions,conversionRate,conversions before,conversionRate before',
    '1,Sign-up,,Signup,3,0.3,1,',
  ]);
});

test('paths begin with the requested page', () => {
  const before = [{ step: 1, visits: 2, pages: [{ page: '/', visits: 2 }] }];
  const after = [
    { step: 1, visits: 1, pages: [{ page: '/docs', visits: 1 }] },
    { step: 2, visits: 0, pages: [] },
  ];
  const paths = { visits: 5, entries: 3, exits: 4, before, after };
  assert.deepEqual(csvOf(pathsTable(paths, { page: '/pricing' })), [
    'place,step,page,visits',
    'page,0,/pricing,5',
    'entry,0,/pricing,3',
    'exit,0,/pricing,4',
    'before,1,/,2',
    'after,1,/docs,1',
  ]);
});
