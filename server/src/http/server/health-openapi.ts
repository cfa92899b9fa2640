import { faultAnswer, retryAfter } from './fault-answers.ts';

const content = { 'application/json': { schema: { $ref: '#/components/schemas/Health' } } };
const text = (description: string) => ({ type: 'string', description });
const count = (description: string) => ({ type: 'integer', minimum: 0, description });
const seconds = (description: string) => ({ type: 'number', minimum: 0, description });

/** GET /health in the OpenAPI document. */
export const healthPaths = {
  '/health': {
    get: {
      operationId: 'health',
      summary: 'Check whether the node accepts records',
      description: 'For load balancers and monitoring. Anyone who can reach the server can ask.',
      tags: ['operating'],
      security: [],
      responses: {
        200: { description: 'Records are accepted; `degraded` lists any problems.', content },
        405: { $ref: '#/components/responses/Health405' },
        503: {
          description: 'Records are not accepted; `degraded` says why.',
          headers: retryAfter,
          content,
        },
      },
    },
  },
};

export const healthAnswers = {
  Health405: faultAnswer(405, 'Only GET and HEAD are allowed.', 'Answer'),
};

/** The answer of GET /health. */
export const healthSchema = {
  type: 'object',
  required: ['code', 'message', 'degraded'],
  properties: {
    code: { type: 'integer', enum: [200, 503], description: 'The HTTP status.' },
    message: text('For people; the words may change.'),
    degraded: {
      type: 'array',
      items: {
        type: 'object',
        required: ['part', 'why'],
        properties: {
          part: text('The part that has a problem, such as `engine`.'),
          why: text('For people; the words may change.'),
          state: text('The state of the engine.'),
          reason: text('The last message of the engine.'),
          damage: text('The id of known damage.'),
        },
      },
    },
    journal: {
      type: 'object',
      description: 'Absent while the server cannot start.',
      required: ['oldestUnansweredSeconds'],
      properties: {
        oldestUnansweredSeconds: seconds('How long the oldest record has been waiting for the disk.'),
      },
    },
    loader: {
      type: 'object',
      description: 'Absent while the server cannot start.',
      required: [
        'lagSeconds',
        'waitingBytes',
        'batchesToCompare',
        'batchesToLoadAgain',
        'recordsToLoadAgain',
      ],
      properties: {
        lagSeconds: seconds('How long the oldest record has been waiting to be loaded.'),
        waitingBytes: count('Bytes of the journal that are not loaded yet.'),
        batchesToCompare: count('Batches to compare with the store.'),
        batchesToLoadAgain: count('Batches to load again from the journal.'),
        recordsToLoadAgain: count('Records in these batches.'),
      },
    },
  },
};

export const healthExample = {
  code: 200,
  message: 'Accepting records, degraded',
  degraded: [{ part: 'engine', why: 'starting', state: 'starting' }],
  journal: { oldestUnansweredSeconds: 0 },
  loader: {
    lagSeconds: 1.5,
    waitingBytes: 2048,
    batchesToCompare: 0,
    batchesToLoadAgain: 0,
    recordsToLoadAgain: 0,
  },
};
