import * as answers from '@trackside/contract/stats/answers.ts';
import { maxBatch, maxBodyBytes } from '@trackside/contract/stats/limits.ts';
import * as questions from '@trackside/contract/stats/questions.ts';
import { createFaultAnswers, faultAnswer } from '../server/fault-answers.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: unknown) => ({ 'application/json': { schema } });

/** The faults of all questions, by their names in the document. */
const faults = createFaultAnswers('StatsFault', {
  400: 'The question is not as described; `message` names the member, what was expected and what was sent.',
  401: 'The read token is missing or invalid. The API key for sending records does not work here.',
  405: 'Only POST is allowed.',
  413: `The body has more than ${maxBodyBytes / 1024} KiB.`,
  415: 'The Content-Type is not one.',
  422: 'The question needs more time or memory than one question may use.',
  503: 'The store is restarting, or days are being calculated for the first time.',
});
export const statsFaultAnswers = faults.named;

/** What a row of CSV has no place for. */
const csvHeaders = {
  'Trackside-Total-Rows': 'For CSV: the total number of rows.',
  'Trackside-Visitors-Are': 'For CSV: how visitors are counted, as in `visitorsAre`.',
  'Trackside-Visitors': 'For CSV: visitors with a record in the last 5 minutes.',
  'Trackside-Visitors-Without-ClientId': 'For CSV: visitors who cannot be recognized in another week.',
} as const;
type CsvHeader = keyof typeof csvHeaders;

/** A question is sent by POST, and can be answered as CSV too. */
function question(about: {
  operationId: string;
  summary: string;
  description: string;
  body: string;
  /** Whether an empty body is refused. Otherwise it asks for the defaults. */
  isBodyRequired?: true;
  answer: string;
  headers?: readonly CsvHeader[];
}) {
  const { operationId, summary, description, body, isBodyRequired = false, answer, headers = [] } = about;
  return {
    post: {
      operationId,
      summary,
      description: `${description} Send \`Accept: text/csv\` for CSV.`,
      tags: ['statistics'],
      security: [{ readToken: [] }],
      requestBody: {
        required: isBodyRequired,
        description: `JSON in UTF-8. ${isBodyRequired ? '' : 'Without a body, the defaults apply. '}Unknown members are refused.`,
        content: json(ref(body)),
      },
      responses: {
        200: {
          description: 'The answer; `asOf` says up to when everything is counted.',
          ...(headers.length > 0 && {
            headers: Object.fromEntries(
              headers.map((name) => [name, { description: csvHeaders[name], schema: { type: 'string' } }]),
            ),
          }),
          content: { ...json(ref(answer)), 'text/csv': { schema: { type: 'string' } } },
        },
        ...faults.refer(400, 401, 405, 413, 415, 422, 503),
      },
    },
  };
}

export const statsPaths = {
  '/api/stats/query': question({
    operationId: 'query',
    summary: 'Count by period, dimension and filter',
    description: 'Counts visitors, visits, page views and events: as totals, over time, or by dimension.',
    body: 'Question',
    answer: 'Counts',
    headers: ['Trackside-Total-Rows', 'Trackside-Visitors-Are'],
  }),
  '/api/stats/live': question({
    operationId: 'live',
    summary: 'Get current visitors',
    description: 'Counts the visitors of the last 5 minutes, and those of each of the last 30 minutes.',
    body: 'Nothing',
    answer: 'Live',
    headers: ['Trackside-Visitors'],
  }),
  '/api/stats/bots': question({
    operationId: 'bots',
    summary: 'List bots and AI crawlers',
    description: 'Counts the records of bots, which are excluded everywhere else.',
    body: 'BotQuestion',
    answer: 'Bots',
    headers: ['Trackside-Total-Rows'],
  }),
  '/api/stats/funnel': question({
    operationId: 'funnel',
    summary: 'Count visitors through a funnel',
    description: 'Counts how many visitors reach each step, in this order.',
    body: 'FunnelQuestion',
    isBodyRequired: true,
    answer: 'Funnel',
    headers: ['Trackside-Visitors-Are'],
  }),
  '/api/stats/retention': question({
    operationId: 'retention',
    summary: 'Count returning visitors by week',
    description: 'Groups visitors with a ClientId by their first week, and counts who visits again.',
    body: 'RetentionQuestion',
    answer: 'Retention',
    headers: ['Trackside-Visitors-Without-ClientId'],
  }),
  '/api/stats/paths': question({
    operationId: 'paths',
    summary: 'List the pages before and after a page',
    description: 'Counts the visits that come to a page from other pages, and go on to others.',
    body: 'PathsQuestion',
    isBodyRequired: true,
    answer: 'Paths',
  }),
  '/api/stats/goals': question({
    operationId: 'goals',
    summary: "Count conversions of the website's goals",
    description: 'Counts, for each goal of the website, the visitors who reach it.',
    body: 'GoalsQuestion',
    answer: 'Goals',
    headers: ['Trackside-Visitors-Are'],
  }),
  '/api/stats/batch': {
    post: {
      operationId: 'batch',
      summary: 'Ask several questions in one request',
      description: `Asks up to ${maxBatch} questions of any kind. Questions about the same visits share their work.`,
      tags: ['statistics'],
      security: [{ readToken: [] }],
      requestBody: {
        required: true,
        description: 'JSON in UTF-8. Unknown members are refused.',
        content: json(ref('Batch')),
      },
      responses: {
        200: {
          description:
            'A line of JSON for each question, as soon as it is answered, in any order. ' +
            'A question that fails does not affect the others.',
          content: { 'application/x-ndjson': { schema: ref('BatchLine') } },
        },
        400: faultAnswer(
          400,
          `The body is not a list of 1 to ${maxBatch} questions. The fault of a question is in its line.`,
          'StatsFault',
        ),
        ...faults.refer(401, 405, 413, 415, 503),
      },
    },
  },
};

const day = (name: string, description: string) => ({
  name,
  in: 'query',
  required: false,
  description,
  schema: { type: 'string', format: 'date' },
});

export const ledgerPaths = {
  '/api/ledger': {
    get: {
      operationId: 'ledger',
      summary: 'Get what became of everything that was sent',
      description:
        'Counts what was accepted, refused, excluded, over quota, missing and repeated, by day, reason, ' +
        'release and key.',
      tags: ['statistics'],
      security: [{ readToken: [] }],
      parameters: [
        day('from', 'The first day, of the timezone of the website. Without it, 30 days up to the last one.'),
        day('to', 'The last day. Without it, today.'),
      ],
      responses: {
        200: {
          description: 'The ledger. Counts can be a second old, those of other nodes 5 seconds.',
          content: json(ref('Ledger')),
        },
        ...faults.refer(400, 401, 503),
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
  answers.faultCodeSchema,
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
  const members =
    'oneOf' in value ? { ...value, oneOf: (value.oneOf as object[]).flatMap(writtenOut) } : value;
  return Object.fromEntries(Object.entries(members).map(([name, part]) => [name, withReferences(part)]));
}

/**
 * Writes out a choice that is itself a choice. TypeScript's generator of clients makes code that does not
 * compile if it only refers to it.
 */
function writtenOut(choice: object): object[] {
  if (!('$id' in choice)) return [choice];
  const { $id: name, description: _, ...content } = choice as { $id: string; description?: string };
  if ('oneOf' in content) return (content.oneOf as object[]).flatMap(writtenOut);
  return 'enum' in content ? [{ ...content, description: `As in \`${name}\`.` }] : [choice];
}
