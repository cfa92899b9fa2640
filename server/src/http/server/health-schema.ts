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
          why: text('In words, which may change.'),
          state: text('Of the engine.'),
          reason: text('What the engine has said last.'),
          damage: text('The id of a damage that is known.'),
        },
      },
    },
    journal: {
      type: 'object',
      description: 'Absent while the server cannot start.',
      required: ['oldestUnansweredSeconds'],
      properties: {
        oldestUnansweredSeconds: seconds('How long the oldest record has waited for the disk.'),
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
        lagSeconds: seconds('How long the oldest record has waited to be loaded.'),
        waitingBytes: count('Bytes of the journal that are not loaded yet.'),
        batchesToCompare: count('Batches to compare with the store.'),
        batchesToLoadAgain: count('Batches to load again from the journal.'),
        recordsToLoadAgain: count('Records in these batches.'),
      },
    },
  },
};
