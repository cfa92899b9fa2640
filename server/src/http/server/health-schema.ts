const text = (description: string) => ({ type: 'string', description });
const count = (description: string) => ({ type: 'integer', minimum: 0, description });
const seconds = (description: string) => ({ type: 'number', minimum: 0, description });

/** The answer of GET /health in the OpenAPI document. */
export const healthSchema = {
  type: 'object',
  required: ['code', 'message', 'degraded'],
  properties: {
    code: { type: 'integer', enum: [200, 503], description: 'The HTTP status.' },
    message: { type: 'string' },
    degraded: {
      type: 'array',
      items: {
        type: 'object',
        required: ['part', 'why'],
        properties: {
          part: { type: 'string' },
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
