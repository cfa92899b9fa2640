import { intervals } from '@trackside/contract/calendar/intervals.ts';
import { dimensions } from '../../stats/question/dimensions.ts';
import { metrics } from '../../stats/question/metrics.ts';
import { periodNames } from '../../stats/question/periods.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: unknown) => ({ 'application/json': { schema } });
const text = (description?: string) => ({ type: 'string', ...(description && { description }) });
const whole = (minimum: number, maximum?: number) => ({
  type: 'integer',
  minimum,
  ...(maximum && { maximum }),
});
const object = (properties: Record<string, unknown>, required: string[] = []) => ({
  ...{ type: 'object', additionalProperties: false, properties },
  ...(required.length > 0 && { required }),
});
const meanings = (table: Record<string, { meaning: string }>) =>
  Object.entries(table)
    .map(([name, { meaning }]) => `- \`${name}\`: ${meaning}`)
    .join('\n');
const fault = (description: string, headers: Record<string, unknown> = {}) => ({
  ...{ description, headers, content: json(ref('Answer')) },
});
const retryAfter = {
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: whole(0) },
};

function question(operationId: string, summary: string, body: string, answer: string, csv = false) {
  return {
    post: {
      ...{ operationId, summary, tags: ['statistics'], security: [{ readToken: [] }] },
      requestBody: { required: false, content: json(ref(body)) },
      responses: {
        200: {
          description: 'The answer; asOf says up to when everything is counted.',
          content: { ...json(ref(answer)), ...(csv && { 'text/csv': { schema: text() } }) },
        },
        400: fault(
          'The question is not as described; Message names the member, what was expected and what came.',
        ),
        401: fault('The read token is missing or not valid. The API key that sends records is not one.'),
        422: fault('The question needs more time or memory than one question may use.'),
        503: fault('The store restarts, or days are being added up for the first time.', retryAfter),
      },
    },
  };
}

export const statsPaths = {
  '/api/stats/query': question('query', 'Count by period, dimension and filter', 'Question', 'Counts', true),
  '/api/stats/live': question('live', 'Who is there now', 'Nothing', 'Live'),
  '/api/stats/bots': question('bots', 'Which bots and AI crawlers came', 'BotQuestion', 'Bots'),
  '/api/stats/funnel': question(
    'funnel',
    'How many go through some steps in order',
    'FunnelQuestion',
    'Funnel',
  ),
  '/api/stats/retention': question('retention', 'Who comes back, by week', 'RetentionQuestion', 'Retention'),
  '/api/stats/paths': question('paths', 'The pages before and after a page', 'PathsQuestion', 'Paths'),
  '/api/stats/batch': {
    post: {
      ...{ operationId: 'batch', summary: 'Several questions by one request' },
      ...{ tags: ['statistics'], security: [{ readToken: [] }] },
      requestBody: { required: true, content: json(ref('Batch')) },
      responses: {
        200: {
          description:
            'A line of JSON for each question, as soon as it is answered, in any order. One that fails does not touch the others.',
          content: { 'application/x-ndjson': { schema: ref('BatchLine') } },
        },
        400: fault(
          'The body is no list of 1 to 32 questions. What is wrong with one of them is in its line.',
        ),
        401: fault('The read token is missing or not valid. The API key that sends records is not one.'),
        503: fault('The website is being set up.', retryAfter),
      },
    },
  },
};

export const readTokenScheme = {
  ...{ type: 'http', scheme: 'bearer' },
  description: 'A read token of the website, made by `trackside token add`.',
};

const period = {
  oneOf: [
    { type: 'string', enum: [...periodNames] },
    { type: 'string', pattern: '^\\d{1,4}d$', description: 'Days up to today, which is one of them.' },
    object(
      { from: text('A local day, or a minute such as 2026-03-31T14:00.'), to: text('The same, included.') },
      ['from', 'to'],
    ),
    object({ lastMinutes: whole(1, 1440) }, ['lastMinutes']),
  ],
};
const dimension = { type: 'string', enum: Object.keys(dimensions), description: meanings(dimensions) };
const metric = { type: 'string', enum: Object.keys(metrics), description: meanings(metrics) };
const days = object({ from: text(), to: text(), fromTime: text(), toTime: text() }, ['from', 'to']);
const numbers = { type: 'object', additionalProperties: { type: ['number', 'null'] } };
const about = { website: text(), timezone: text(), asOf: { type: 'string', format: 'date-time' } };

const kinds = {
  ...{ query: 'Question', live: 'Nothing', bots: 'BotQuestion' },
  ...{ funnel: 'FunnelQuestion', retention: 'RetentionQuestion', paths: 'PathsQuestion' },
};
const answers = ['Counts', 'Live', 'Bots', 'Funnel', 'Retention', 'Paths'];

export const statsSchemas = {
  Batch: object(
    {
      questions: {
        ...{ type: 'array', minItems: 1, maxItems: 32 },
        items: {
          oneOf: Object.entries(kinds).map(([kind, body]) =>
            object({ kind: { const: kind }, question: ref(body) }, ['kind']),
          ),
        },
      },
    },
    ['questions'],
  ),
  BatchLine: {
    oneOf: [
      object(
        {
          index: { ...whole(0, 31), description: 'Of the question, from 0.' },
          ...{ code: { const: 200 }, answer: { anyOf: answers.map(ref) } },
        },
        ['index', 'code', 'answer'],
      ),
      object(
        {
          ...{ index: whole(0, 31), code: { type: 'integer', enum: [400, 422, 503] }, message: text() },
          retryAfterSeconds: whole(0),
        },
        ['index', 'code', 'message'],
      ),
    ],
  },
  Period: period,
  Dimension: dimension,
  Metric: metric,
  Filter: {
    ...object(
      {
        ...{ dimension: ref('Dimension'), of: text('The parameter whose values are meant.') },
        ...{
          is: text(),
          isNot: text(),
          contains: text(),
          anyOf: { type: 'array', items: text(), maxItems: 200 },
        },
      },
      ['dimension'],
    ),
    description: 'With one of is, isNot, contains (any letter case), anyOf.',
  },
  Question: object({
    period: ref('Period'),
    interval: {
      ...{ type: 'string', enum: [...intervals] },
      description:
        'Without dimensions: a series with every interval of the period. With dimensions: a row for each value in each interval in which it occurred.',
    },
    metrics: { type: 'array', items: ref('Metric') },
    dimensions: {
      ...{ type: 'array', maxItems: 4 },
      items: {
        oneOf: [ref('Dimension'), object({ dimension: ref('Dimension'), of: text() }, ['dimension'])],
      },
    },
    filters: { type: 'array', maxItems: 20, items: ref('Filter') },
    goal: text('The event for conversionRate.'),
    compare: { oneOf: [{ type: 'string', enum: ['previousPeriod', 'previousYear'] }, ref('Period')] },
    order: {
      type: 'array',
      description:
        'When absent, the first metric with the most first; with an interval, by time. Refused for a series.',
      items: object(
        { by: { oneOf: [ref('Metric'), { const: 'dimension' }] }, descending: { type: 'boolean' } },
        ['by'],
      ),
    },
    limit: {
      ...whole(1, 10_000),
      description:
        'Rows of a list. When absent, 100; with an interval, or as CSV, 10,000. Without dimensions the answer is always whole, whatever the limit.',
    },
    offset: {
      ...whole(0, 1_000_000),
      description: 'Rows of a list to skip. Refused without dimensions.',
    },
  }),
  Counts: {
    type: 'object',
    properties: {
      ...{ ...about, period: days, comparison: days, totalRows: whole(0) },
      answeredFrom: { type: 'string', enum: ['rollups', 'visits'] },
      rows: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            time: text('Start of the interval, at the website.'),
            dimensions: { type: 'object', additionalProperties: text() },
            ...{ metrics: numbers, comparison: numbers },
          },
        },
      },
    },
  },
  Nothing: object({}),
  Live: {
    type: 'object',
    properties: {
      ...about,
      visitors: { ...whole(0), description: 'With a record in the last 5 minutes.' },
      minutes: {
        ...{ type: 'array', description: 'Of each of the last 30 minutes, the oldest first.' },
        items: object({ minutesAgo: whole(0), visitors: whole(0), pageViews: whole(0) }),
      },
    },
  },
  BotQuestion: object({
    period: ref('Period'),
    dimensions: { type: 'array', items: { type: 'string', enum: ['bot', 'page', 'host', 'day'] } },
    ...{ bot: text(), page: text(), limit: whole(1, 10_000), offset: whole(0, 1_000_000) },
  }),
  FunnelQuestion: object(
    {
      ...{ period: ref('Period'), filters: { type: 'array', maxItems: 20, items: ref('Filter') } },
      steps: {
        ...{ type: 'array', minItems: 2, maxItems: 8 },
        items: {
          oneOf: [
            object({ page: text('A path; a * at its end matches whatever follows.') }, ['page']),
            object({ event: text(), parameter: object({ name: text(), value: text() }, ['name', 'value']) }, [
              'event',
            ]),
          ],
        },
      },
      within: {
        oneOf: [{ const: 'visit' }, object({ days: whole(1, 90) }, ['days'])],
        description: 'In one visit, or within so many days of the first step, for visitors with a ClientId.',
      },
    },
    ['steps'],
  ),
  Funnel: {
    type: 'object',
    properties: {
      ...{ ...about, period: days },
      steps: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            ...{ step: { type: 'object' }, visitors: whole(0) },
            shareOfFirst: { type: ['number', 'null'] },
            shareOfPrevious: { type: ['number', 'null'] },
          },
        },
      },
    },
  },
  RetentionQuestion: object({
    ...{ period: ref('Period'), filters: { type: 'array', maxItems: 20, items: ref('Filter') } },
  }),
  Retention: {
    type: 'object',
    properties: {
      ...{ ...about, period: days, visitorsWithoutClientId: whole(0) },
      cohorts: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            week: text('The Monday of the week in which these visitors were first seen.'),
            visitors: whole(0),
            weeks: { type: 'array', items: whole(0), description: 'How many came in that week, the next, …' },
          },
        },
      },
    },
  },
  PathsQuestion: object(
    {
      ...{ period: ref('Period'), filters: { type: 'array', maxItems: 20, items: ref('Filter') } },
      ...{ page: text(), steps: whole(1, 3), limit: whole(1, 100) },
    },
    ['page'],
  ),
  Paths: {
    type: 'object',
    properties: {
      ...{ ...about, period: days, visits: whole(0), entries: whole(0), exits: whole(0) },
      ...{
        before: { type: 'array', items: ref('PathsStep') },
        after: { type: 'array', items: ref('PathsStep') },
      },
    },
  },
  PathsStep: {
    type: 'object',
    properties: {
      ...{ step: whole(1), visits: whole(0) },
      pages: { type: 'array', items: object({ page: text(), visits: whole(0) }) },
    },
  },
  Bots: {
    type: 'object',
    properties: {
      ...{ ...about, period: days, totalRows: whole(0) },
      rows: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            dimensions: { type: 'object', additionalProperties: text() },
            ...{ records: whole(0), days: whole(0), lastAt: text() },
          },
        },
      },
    },
  },
};
