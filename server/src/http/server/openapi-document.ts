import { stringify } from 'yaml';
import { eventSchema, pageViewSchema } from '../../intake/steps/validate.ts';
import { appPaths, appSchemas, sessionScheme } from '../app/app-openapi.ts';
import { readTokenScheme, statsPaths, statsSchemas } from '../stats/stats-openapi.ts';

const answer = (description: string, headers: Record<string, unknown> = {}) => ({
  description,
  headers,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Answer' } } },
});
const number = (description: string) => ({ description, schema: { type: 'integer', minimum: 0 } });

const contingentHeaders = {
  'Contingent-Limit': number('Records a month; absent for a website without a limit.'),
  'Contingent-Remaining': number('Records left this month; absent for a website without a limit.'),
  'Contingent-Reset': number(
    'Seconds to the first of next month, UTC; absent for a website without a limit.',
  ),
};
const retryAfter = { 'Retry-After': number('Seconds to wait before the next attempt.') };

const trackingResponses = {
  200: answer('The record is on disk, from this request or an earlier one with its key.', contingentHeaders),
  400: answer(
    'The body or a header is not as described, or the key was used for another record; ' +
      'Message names the field, what was expected and what came.',
    contingentHeaders,
  ),
  401: answer('The API key is missing or not valid.'),
  405: answer('Only POST is answered here.', { Allow: { schema: { type: 'string' } } }),
  429: answer("The website's contingent of this month is used up.", { ...contingentHeaders, ...retryAfter }),
  503: answer('The record cannot be made durable now: send it again after the time that Retry-After gives.', {
    ...contingentHeaders,
    ...retryAfter,
  }),
};

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A text of your own that is new for each record, such as a random UUID. ' +
    'A record that comes again with its key within an hour is answered like the first time, ' +
    'and counts once.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
};

function tracking(operationId: string, summary: string, schema: string) {
  return {
    post: {
      operationId,
      summary,
      tags: ['tracking'],
      security: [{ apiKey: [] }],
      parameters: [idempotencyKey],
      requestBody: {
        required: true,
        description: 'JSON in UTF-8, at most 512 KiB, plain or gzip. Unknown members are ignored.',
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${schema}` } } },
      },
      responses: trackingResponses,
    },
  };
}

/** Returns the interface as an OpenAPI 3.1 document, made from the schemas that validate the bodies. */
export function openapiDocument(): string {
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Trackside',
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'Server-side web analytics: a backend sends page views and events, one record a request; ' +
        'who has a read token asks what happened.',
    },
    servers: [{ url: 'http://127.0.0.1:8080' }],
    paths: {
      '/api/page-view': tracking('sendPageView', 'Send a page view', 'PageView'),
      '/api/event-view': tracking('sendEvent', 'Send an event', 'Event'),
      ...statsPaths,
      ...appPaths(),
      '/health': {
        get: {
          operationId: 'health',
          summary: 'Whether the node can accept records',
          tags: ['operating'],
          responses: {
            200: {
              description: 'Records are accepted; Degraded names what is not as it should be.',
              content: health,
            },
            503: { description: 'Records are not accepted; Degraded says why.', content: health },
          },
        },
      },
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'The API key of the website, with nothing in front of it.',
        },
        readToken: readTokenScheme,
        session: sessionScheme,
      },
      schemas: {
        PageView: pageViewSchema,
        Event: eventSchema,
        Answer: {
          type: 'object',
          required: ['Code', 'Message'],
          properties: { Code: { type: 'integer' }, Message: { type: 'string' } },
        },
        ...statsSchemas,
        ...appSchemas,
        Health: {
          type: 'object',
          required: ['Code', 'Message', 'Degraded'],
          properties: {
            Code: { type: 'integer' },
            Message: { type: 'string' },
            Degraded: {
              type: 'array',
              items: {
                type: 'object',
                required: ['part', 'why'],
                properties: {
                  part: { type: 'string' },
                  why: { type: 'string', description: 'In words, which may change.' },
                  state: { type: 'string', description: 'Of the engine.' },
                  reason: { type: 'string', description: 'What the engine has said last.' },
                  damage: { type: 'string', description: 'The id of a damage that is known.' },
                },
              },
            },
          },
        },
      },
    },
  };
  // Goes through JSON, because only the enumerable members of a schema are part of the document.
  const plain = JSON.parse(JSON.stringify(document));
  const yaml = stringify(plain, { aliasDuplicateObjects: false, lineWidth: 110 });
  return `# Generated by \`npm run openapi\`; a test fails when it is stale.\n${yaml}`;
}

const health = { 'application/json': { schema: { $ref: '#/components/schemas/Health' } } };
