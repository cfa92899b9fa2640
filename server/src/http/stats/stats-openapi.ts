import * as answers from '@trackside/contract/stats/answers.ts';
import { maxBatch } from '@trackside/contract/stats/limits.ts';
import * as questions from '@trackside/contract/stats/questions.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: unknown) => ({ 'application/json': { schema } });

const fault = (description: string, headers: Record<string, unknown> = {}) => ({
  description,
  headers,
  content: json(ref('StatsFault')),
});
const retryAfter = {
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 0 },
  },
};

const anyFault = fault('All other faults, such as a body that is too large (413), have the same shape.');

/** What a row of CSV has no place for. */
const csvHeaders = {
  'Trackside-Total-Rows': 'For CSV: the total number of rows.',
  'Trackside-Visitors-Are': 'For CSV: how visitors are counted, as in `visitorsAre`.',
  'Trackside-Visitors': 'For CSV: visitors with a record in the last 5 minutes.',
  'Trackside-Visitors-Without-ClientId': 'For CSV: visitors who cannot be recognized in another week.',
} as const;
type CsvHeader = keyof typeof csvHeaders;

function question(
  operationId: string,
  summary: string,
  body: string,
  answer: string,
  headers: readonly CsvHeader[] = [],
) {
  return {
    post: {
      operationId,
      summary,
      tags: ['statistics'],
      security: [{ readToken: [] }],
      requestBody: { required: false, content: json(ref(body)) },
      responses: {
        200: {
          description: 'The answer; asOf says up to when everything is counted.',
          headers: Object.fromEntries(
            headers.map((name) => [name, { description: csvHeaders[name], schema: { type: 'string' } }]),
          ),
          content: { ...json(ref(answer)), 'text/csv': { schema: { type: 'string' } } },
        },
        400: fault(
          'The question is not as described; message names the member, what was expected and what was sent.',
        ),
        401: fault(
          'The read token is missing or invalid. The API key for sending records does not work here.',
        ),
        422: fault('The question needs more time or memory than one question may use.'),
        503: fault('The store is restarting, or days are being calculated for the first time.', retryAfter),
        default: anyFault,
      },
    },
  };
}

export const statsPaths = {
  '/api/stats/query': question('query', 'Count by period, dimension and filter', 'Question', 'Counts', [
    'Trackside-Total-Rows',
    'Trackside-Visitors-Are',
  ]),
  '/api/stats/live': question('live', 'Get current visitors', 'Nothing', 'Live', ['Trackside-Visitors']),
  '/api/stats/bots': question('bots', 'List bots and AI crawlers', 'BotQuestion', 'Bots', [
    'Trackside-Total-Rows',
  ]),
  '/api/stats/funnel': question('funnel', 'Count visitors through a funnel', 'FunnelQuestion', 'Funnel', [
    'Trackside-Visitors-Are',
  ]),
  '/api/stats/retention': question(
    'retention',
    'Count returning visitors by week',
    'RetentionQuestion',
    'Retention',
    ['Trackside-Visitors-Without-ClientId'],
  ),
  '/api/stats/paths': question('paths', 'List the pages before and after a page', 'PathsQuestion', 'Paths'),
  '/api/stats/goals': question(
    'goals',
    'Count conversions of the website’s goals',
    'GoalsQuestion',
    'Goals',
    ['Trackside-Visitors-Are'],
  ),
  '/api/stats/batch': {
    post: {
      operationId: 'batch',
      summary: 'Ask several questions in one request',
      tags: ['statistics'],
      security: [{ readToken: [] }],
      requestBody: { required: true, content: json(ref('Batch')) },
      responses: {
        200: {
          description:
            'A line of JSON for each question, as soon as it is answered, in any order. ' +
            'A question that fails does not affect the others.',
          content: { 'application/x-ndjson': { schema: ref('BatchLine') } },
        },
        400: fault(
          `The body is not a list of 1 to ${maxBatch} questions. The fault of a question is in its line.`,
        ),
        401: fault(
          'The read token is missing or invalid. The API key for sending records does not work here.',
        ),
        503: fault('The website is being set up.', retryAfter),
        default: anyFault,
      },
    },
  },
};

export const readTokenScheme = {
  type: 'http',
  scheme: 'bearer',
  description: 'A read token of the website, created with `trackside token add`.',
};

/** In the order of the document. */
const schemas = [
  questions.batchSchema,
  answers.batchLineSchema,
  questions.periodSchema,
  questions.dimensionSchema,
  questions.metricSchema,
  questions.filterSchema,
  questions.goalSchema,
  questions.questionSchema,
  answers.countsSchema,
  questions.nothingSchema,
  answers.liveSchema,
  questions.botQuestionSchema,
  questions.parameterSchema,
  questions.funnelStepSchema,
  questions.funnelQuestionSchema,
  answers.funnelSchema,
  questions.retentionQuestionSchema,
  answers.retentionSchema,
  questions.pathsQuestionSchema,
  answers.pathsSchema,
  answers.pathsStepSchema,
  answers.botsSchema,
  questions.goalsQuestionSchema,
  answers.goalsSchema,
  answers.statsFaultSchema,
];

/** The schemas of the contract by their names. A part that has its own name is referenced. */
export const statsSchemas = Object.fromEntries(
  schemas.map((schema) => {
    const { $id: name, ...content } = schema as { $id?: string };
    return [name!, withReferences(content)];
  }),
);

function withReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withReferences);
  if (typeof value !== 'object' || value === null) return value;
  if ('$id' in value) return ref(String(value.$id));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withReferences(part)]));
}
