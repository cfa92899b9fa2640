import { maxBatchBytes, maxBatchRecords, maxBodyBytes } from '@trackside/contract/tracking/body-sizes.ts';
import { countryCodes, languageCodes } from '@trackside/contract/tracking/field-rules.ts';
import { understoodSchema } from '@trackside/contract/tracking/understood.ts';
import { eventSchema, pageViewSchema } from '../../intake/steps/validate.ts';
import { retryAfter } from '../server/fault-answers.ts';
import { narrow } from '../server/narrow.ts';

const number = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });

const contingentHeaders = {
  'Contingent-Limit': number('Records per month; absent for a website without a limit.'),
  'Contingent-Remaining': number('Records left this month; absent for a website without a limit.'),
  'Contingent-Reset': number(
    'Seconds until the first of next month, UTC; absent for a website without a limit.',
  ),
};
const receiptHeaders = {
  'Trackside-Receipt': {
    description:
      'Names the record for GET /api/receipt/{receipt}. Absent for dry runs, for excluded records, for some ' +
      'repeats, and for batches.',
    schema: { type: 'string' },
  },
};
const requestId = {
  'Request-Id': { description: 'Also in the log of the server.', schema: { type: 'string' } },
};
const outcome = {
  'Trackside-Outcome': {
    description:
      'Only with the value `unknown`: the record may be counted although this is not a 200. Send it again with ' +
      'the same Idempotency-Key within an hour of the first attempt, or not at all.',
    schema: { type: 'string', enum: ['unknown'] },
  },
};
const allow = { Allow: { description: 'Always `POST`.', schema: { type: 'string' } } };

const answer = (description: string, headers: Record<string, unknown>) => ({
  description,
  headers,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Answer' } } },
});

/** The answers of both tracking endpoints, by their names in the document. */
export const trackingAnswers = {
  Tracking200: answer(
    'The record is on disk, from this request or an earlier one with its key; or, if the Message begins with ' +
      '`Excluded`, a rule of the website excludes it and it is not stored.',
    { ...contingentHeaders, ...receiptHeaders },
  ),
  Tracking400: answer(
    'The body or a header is not as described, or the key was already used for another record; ' +
      '`Message` names the field, what was expected and what was sent.',
    { ...requestId, ...contingentHeaders },
  ),
  Tracking401: answer('The API key is missing or invalid.', requestId),
  Tracking405: answer('Only POST is allowed.', { ...requestId, ...allow }),
  Tracking429: answer("The website's contingent for this month is used up.", {
    ...requestId,
    ...contingentHeaders,
    ...retryAfter,
  }),
  Tracking503: answer(
    'The record cannot be stored safely right now: send it again after Retry-After seconds.',
    { ...requestId, ...contingentHeaders, ...retryAfter, ...outcome },
  ),
};

const answerRef = (name: keyof typeof trackingAnswers) => ({ $ref: `#/components/responses/${name}` });

const responses = {
  200: answerRef('Tracking200'),
  400: answerRef('Tracking400'),
  401: answerRef('Tracking401'),
  405: answerRef('Tracking405'),
  429: answerRef('Tracking429'),
  503: answerRef('Tracking503'),
};

const batchAnswer = (description: string, headers: Record<string, unknown>) => ({
  description,
  headers: { ...requestId, ...contingentHeaders, ...headers },
  content: { 'application/json': { schema: { $ref: '#/components/schemas/RecordBatchAnswer' } } },
});

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A text of your choice that is new for each record, such as a random UUID. ' +
    'A record that is sent again with the same key within an hour is answered like the first time, ' +
    'and is counted once.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
};

const attempt = {
  name: 'Trackside-Attempt',
  in: 'header',
  required: false,
  description:
    'Which attempt to send the record this is. With 1, a server does not ask others whether they have the ' +
    'record, so send it only if nobody can have sent the record before. Only used together with a key.',
  schema: { type: 'string', pattern: '^[1-9][0-9]*$' },
};

const sequence = {
  name: 'Trackside-Sequence',
  in: 'header',
  required: false,
  description:
    'The number of the record, if you number your records: a name for the stream that they are numbered in, a ' +
    'dot, and a number that grows by one with each record, from 1 on. So the ledger can tell which of them ' +
    'never arrived. The number is the same each time a record is sent.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{1,32}\\.[1-9][0-9]{0,15}$' },
};

const release = {
  name: 'Trackside-Release',
  in: 'header',
  required: false,
  description: 'The release of your software, so that the ledger can show which one a problem came with.',
  schema: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[ -~]+$' },
};

const bodyRules =
  'Members that are not described here are ignored, except one that differs from a described one only in ' +
  'letter case, which is refused.';

const dryRun = {
  name: 'Trackside-Dry-Run',
  in: 'header',
  required: false,
  description:
    'With 1, the record is judged and answered as always, with what was understood of it, and nothing else ' +
    'happens: it is not stored, not counted, and remembered by no key. Any other value is refused.',
  schema: { type: 'string', enum: ['1'] },
};

function tracking(operationId: string, summary: string, description: string, schema: string) {
  return {
    post: {
      operationId,
      summary,
      description,
      tags: ['tracking'],
      security: [{ apiKey: [] }],
      parameters: [idempotencyKey, attempt, dryRun, sequence, release],
      requestBody: {
        required: true,
        description: `JSON in UTF-8, at most ${maxBodyBytes / 1024} KiB, plain or gzip. ${bodyRules}`,
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
      },
      responses,
    },
  };
}

const batch = {
  post: {
    operationId: 'sendBatch',
    summary: 'Send several records',
    description:
      `Sends 1 to ${maxBatchRecords} page views and events of one website. Each is judged as if it had come ` +
      'alone, and those that are accepted reach the disk together.',
    tags: ['tracking'],
    security: [{ apiKey: [] }],
    parameters: [
      { ...attempt, description: `${attempt.description} In a batch, it is about all of its records.` },
      release,
    ],
    requestBody: {
      required: true,
      description: `JSON in UTF-8, at most ${maxBatchBytes / 2 ** 20} MiB, plain or gzip. ${bodyRules}`,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/RecordBatch' } } },
    },
    responses: {
      200: batchAnswer('All records were accepted.', {}),
      207: batchAnswer(
        'Some records or all of them were refused. Retry-After is there if it makes sense to send some of them ' +
          'again: those with 503, or else those with 429.',
        retryAfter,
      ),
      400: answerRef('Tracking400'),
      401: answerRef('Tracking401'),
      405: answerRef('Tracking405'),
      503: answerRef('Tracking503'),
    },
  },
};

export const trackingPaths = {
  '/api/page-view': tracking(
    'sendPageView',
    'Send a page view',
    'Send one for each page that your backend serves to a visitor. 200 means that it is on disk.',
    'PageView',
  ),
  '/api/event-view': tracking(
    'sendEvent',
    'Send an event',
    'Send one for each thing worth counting, such as a purchase. 200 means that it is on disk.',
    'Event',
  ),
  '/api/batch': batch,
};

const receiptAnswer = (description: string, schema: string, headers: Record<string, unknown> = {}) => ({
  description,
  headers,
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
});

export const receiptPaths = {
  '/api/receipt/{receipt}': {
    get: {
      operationId: 'getReceipt',
      summary: 'Find out where a record is',
      description:
        'For a record that was answered with this receipt, with the API key of its website: whether it is on ' +
        'disk or in the store, and the day that it counts on.',
      tags: ['tracking'],
      security: [{ apiKey: [] }],
      parameters: [
        {
          name: 'receipt',
          in: 'path',
          required: true,
          description: 'The value of the header Trackside-Receipt.',
          schema: { type: 'string' },
        },
      ],
      responses: {
        200: receiptAnswer('The record was accepted.', 'Receipt'),
        401: receiptAnswer('The API key is missing or invalid.', 'Answer'),
        404: receiptAnswer('No record of this website was answered with this receipt.', 'Answer'),
        405: receiptAnswer('Only GET is allowed.', 'Answer', allow),
        503: receiptAnswer('The store cannot be asked at the moment.', 'Answer', retryAfter),
      },
    },
  },
};

export const apiKeyScheme = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description: "The website's API key, with nothing in front of it.",
};

const withHost = '://[^/?#\\\\]';
const visible = { pattern: '\\S' };
const when = { OccurredAt: { format: 'date-time' } };

const pageView = narrow(pageViewSchema, {
  'Metrics.Browser.IP': { maxLength: 45, format: 'ip' },
  'Metrics.Language.Code': {
    enum: languageCodes,
    description: 'ISO 639-1 code. Capital letters are accepted too.',
  },
  'Metrics.Page.Absolute': { format: 'iri', pattern: `^[hH][tT][tT][pP][sS]?${withHost}` },
  'Metrics.Referrer.Absolute': { format: 'iri-reference', pattern: `^$|^[a-zA-Z][a-zA-Z0-9+.-]*${withHost}` },
  'Metrics.Location.CountryCode': {
    enum: countryCodes,
    description: 'ISO 3166-1 alpha-2 code, or XK. Small letters are accepted too.',
  },
  ...when,
});
const event = narrow(eventSchema, { Name: visible, 'Parameters.*.Name': visible, ...when });
const { Metrics } = pageView.properties!;
const sharedMetrics = { Metrics: { $ref: '#/components/schemas/Metrics' } };

const message = { type: 'string', description: 'For people; the words may change.' };
const { Metrics: _, ...eventMembers } = event.properties!;

const recordBatch = {
  type: 'object',
  description: 'Records of one website.',
  required: ['Records'],
  properties: {
    Records: {
      type: 'array',
      description: 'Answered in this order.',
      minItems: 1,
      maxItems: maxBatchRecords,
      items: {
        type: 'object',
        description: 'A page view or, with Name and Parameters, an event.',
        required: ['Metrics'],
        properties: {
          ...sharedMetrics,
          ...eventMembers,
          IdempotencyKey: {
            ...idempotencyKey.schema,
            type: ['string', 'null'],
            description: 'The same as the header Idempotency-Key of a single record.',
          },
          Sequence: {
            ...sequence.schema,
            type: ['string', 'null'],
            description: 'The same as the header Trackside-Sequence of a single record.',
          },
        },
      },
    },
  },
};

export const trackingSchemas = {
  PageView: { ...pageView, properties: { ...pageView.properties, ...sharedMetrics } },
  Event: { ...event, properties: { ...event.properties, ...sharedMetrics } },
  Metrics: Metrics!,
  Answer: {
    type: 'object',
    required: ['Code', 'Message'],
    properties: {
      Code: { type: 'integer', enum: [200, 400, 401, 404, 405, 429, 503], description: 'The HTTP status.' },
      Message: message,
      DryRun: { type: 'boolean', enum: [true], description: 'Only in the answer to a dry run.' },
      Understood: { $ref: '#/components/schemas/Understood' },
    },
  },
  RecordBatch: recordBatch,
  RecordBatchAnswer: {
    type: 'object',
    required: ['Code', 'Message', 'Results'],
    properties: {
      Code: { type: 'integer', enum: [200, 207], description: 'The HTTP status.' },
      Message: message,
      Results: {
        type: 'array',
        description: 'What each record was answered, in the order of the records.',
        minItems: 1,
        maxItems: maxBatchRecords,
        items: {
          type: 'object',
          required: ['Code', 'Message'],
          properties: {
            Code: {
              type: 'integer',
              enum: [200, 400, 401, 429, 503],
              description: 'As for a single record.',
            },
            Message: message,
            Outcome: {
              type: 'string',
              enum: ['unknown'],
              description: 'As the header Trackside-Outcome of a single record.',
            },
          },
        },
      },
    },
  },
  Understood: understoodSchema,
  Receipt: {
    type: 'object',
    required: ['Code', 'Message', 'State', 'Day'],
    properties: {
      Code: { type: 'integer', enum: [200], description: 'The HTTP status.' },
      Message: { type: 'string', description: 'For people; the words may change.' },
      State: {
        type: 'string',
        enum: ['on-disk', 'stored', 'gone'],
        description:
          'on-disk: it will be in the store within seconds, or when the store is back. stored: it counts. ' +
          'gone: it was erased, is older than the website keeps records, or is in the store of another server.',
      },
      Day: {
        anyOf: [{ type: 'string' }, { type: 'null' }],
        description: "The website's local day that it counts on; null unless it is stored.",
      },
    },
  },
};
