import type { Answers, BatchLine } from './answers.ts';
import type { Questions } from './questions.ts';

const about = { website: 'shop.example', timezone: 'Europe/Berlin', asOf: '2026-11-16T07:00:00.000Z' };
const period = { from: '2026-11-10', to: '2026-11-16' };
const comparison = { from: '2026-11-03', to: '2026-11-09' };

const question: Questions['query'] = {
  period: '7d',
  metrics: ['visitors', 'bounceRate'],
  dimensions: ['page'],
  filters: [{ dimension: 'country', is: 'DE' }],
  compare: 'previousPeriod',
  limit: 2,
};

const counts: Answers['query'] = {
  ...about,
  period,
  comparison,
  totalRows: 57,
  answeredFrom: 'rollups',
  visitorsAre: 'mixed',
  rows: [
    {
      dimensions: { page: '/' },
      metrics: { visitors: 1204, bounceRate: 0.4375 },
      comparison: { visitors: 1108, bounceRate: 0.45 },
    },
    {
      dimensions: { page: '/pricing' },
      metrics: { visitors: 381, bounceRate: 0.25 },
      comparison: { visitors: 402, bounceRate: null },
    },
  ],
};

const live: Answers['live'] = {
  ...about,
  visitors: 12,
  minutes: [
    { minutesAgo: 1, visitors: 5, pageViews: 9 },
    { minutesAgo: 0, visitors: 3, pageViews: 4 },
  ],
};

/** An example of each question and each answer, by its name in the OpenAPI document. */
export const statsExamples = {
  Question: question,
  Counts: counts,
  Nothing: {} satisfies Questions['live'],
  Live: live,
  BotQuestion: { period: '7d', dimensions: ['bot'], limit: 1 } satisfies Questions['bots'],
  Bots: {
    ...about,
    period,
    totalRows: 14,
    rows: [{ dimensions: { bot: 'GPTBot' }, records: 812, days: 7, lastAt: '2026-11-16T07:59:12' }],
  } satisfies Answers['bots'],
  FunnelQuestion: {
    period: '7d',
    steps: [{ page: '/pricing' }, { event: 'Purchase', parameter: { name: 'plan', value: 'team' } }],
    within: { days: 7 },
  } satisfies Questions['funnel'],
  Funnel: {
    ...about,
    period,
    visitorsAre: 'distinct',
    steps: [
      { step: { page: '/pricing' }, visitors: 400, shareOfFirst: 1, shareOfPrevious: null },
      {
        step: { event: 'Purchase', parameter: { name: 'plan', value: 'team' } },
        visitors: 50,
        shareOfFirst: 0.125,
        shareOfPrevious: 0.125,
      },
    ],
  } satisfies Answers['funnel'],
  RetentionQuestion: { period: '28d' } satisfies Questions['retention'],
  Retention: {
    ...about,
    period: { from: '2026-10-20', to: '2026-11-16' },
    visitorsWithoutClientId: 31,
    cohorts: [
      { week: '2026-11-02', visitors: 210, weeks: [210, 84] },
      { week: '2026-11-09', visitors: 190, weeks: [190] },
    ],
  } satisfies Answers['retention'],
  PathsQuestion: { period: '7d', page: '/pricing', steps: 1, limit: 1 } satisfies Questions['paths'],
  Paths: {
    ...about,
    period,
    visits: 420,
    entries: 120,
    exits: 200,
    before: [{ step: 1, visits: 300, pages: [{ page: '/', visits: 180 }] }],
    after: [{ step: 1, visits: 220, pages: [{ page: '/sign-up', visits: 90 }] }],
  } satisfies Answers['paths'],
  GoalsQuestion: { period: '7d', interval: 'week', compare: 'previousPeriod' } satisfies Questions['goals'],
  Goals: {
    ...about,
    period,
    comparison,
    visitorsAre: 'mixed',
    visitors: 1600,
    goals: [
      {
        id: 3,
        name: 'Paid',
        goal: { event: 'Purchase' },
        conversions: 50,
        conversionRate: 0.03125,
        comparison: { conversions: 40, conversionRate: 0.025 },
        trend: [{ time: '2026-11-10', conversions: 50 }],
      },
    ],
  } satisfies Answers['goals'],
  Batch: { questions: [{ kind: 'query', question }, { kind: 'live' }] },
  BatchLine: { index: 1, code: 200, answer: live } satisfies BatchLine,
};
