type Question = { kind: string; question: Record<string, unknown> };

/** What someone looks at: a period, and filters. */
export type View = { period: string; filters: readonly Record<string, unknown>[] };

/** Views that people switch between. They are few, so that a longer run has nothing new to remember. */
export const views: readonly View[] = [
  { period: 'today', filters: [] },
  { period: '7d', filters: [] },
  { period: '30d', filters: [] },
  { period: '30d', filters: [{ dimension: 'country', is: 'DE' }] },
  { period: '7d', filters: [{ dimension: 'device', is: 'mobile' }] },
  { period: 'today', filters: [{ dimension: 'page', contains: 'category-7' }] },
];

const metrics = ['visitors', 'visits', 'pageViews', 'viewsPerVisit', 'bounceRate', 'visitDuration'];
const lists = ['source', 'page', 'country', 'browser'];

/** Returns the questions that the analytics page asks for a view, with its panels below the first screen. */
export function screenQuestions({ period, filters }: View): Question[] {
  const query = (question: Record<string, unknown>): Question => ({
    kind: 'query',
    question: { period, filters, ...question },
  });
  const compare = 'previousPeriod';
  return [
    query({ metrics, compare }),
    query({ metrics, compare, interval: period === 'today' ? 'hour' : 'day' }),
    query({ metrics: ['visitors', 'events'] }),
    ...lists.map((dimension) => query({ metrics: ['visitors'], dimensions: [dimension], limit: 9 })),
    query({ metrics: ['events'], dimensions: ['event'], limit: 9 }),
    { kind: 'goals', question: { period, filters, compare } },
    { kind: 'bots', question: { period, dimensions: ['bot'], limit: 100 } },
    { kind: 'live', question: {} },
  ];
}

/** Questions of programs with a read token. */
export const tokenQuestions: readonly Record<string, unknown>[] = [
  { period: '7d', metrics: ['visitors', 'pageViews'] },
  { period: '30d', metrics: ['visitors'], dimensions: ['page'], limit: 100 },
  { period: 'today', metrics: ['pageViews'], interval: 'hour' },
  {
    period: '30d',
    metrics: ['visitors'],
    dimensions: ['country'],
    filters: [{ dimension: 'os', is: 'iOS' }],
  },
];
