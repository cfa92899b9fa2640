import { Readable } from 'node:stream';
import type { McpHttpHandler } from '@modelcontextprotocol/server';
import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import { maxBodyBytes } from '@trackside/contract/stats/limits.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Website } from '../../control/websites/website-row.ts';
import { version } from '../../files/version.ts';
import type { Clock } from '../../time/clock.ts';
import { isSecure } from '../app/cookie.ts';
import { faultText } from '../server/answer.ts';
import { takeWholeBodies } from '../server/take-whole-bodies.ts';
import type { AuthenticateReader } from '../stats/authenticate-reader.ts';
import { readStatsFault, type StatsFault, statsFault } from '../stats/read-stats-fault.ts';
import type { StatsParts } from '../stats/stats-routes.ts';

type Parts = Pick<StatsParts, 'statistics' | 'websiteCache' | 'log'> & {
  authenticate: AuthenticateReader;
  clock: Clock;
};

type Extra = { website: Website; origin: string };

/**
 * The statistics for language models, over the streamable HTTP transport of the Model Context Protocol. A
 * read token is needed; the session of a browser isn't enough, so that no page can use it.
 */
export function mcpRoutes(parts: Parts) {
  let handler: Promise<McpHttpHandler> | undefined;
  // Few installations use this, and the library takes memory, so it is loaded by the first request.
  const handlerOf = () => (handler ??= loadHandler(parts));
  const path = '/mcp';
  return (['POST', 'GET', 'DELETE'] as const).map((method) => ({
    method,
    path,
    register(app: FastifyInstance) {
      app.register(async (scope) => {
        takeWholeBodies(scope, maxBodyBytes);
        scope.route({
          method,
          url: path,
          handler: async (request, reply) => {
            const website = await websiteOf(parts, request);
            if ('code' in website) return sendFault(reply, website);
            return await forward(await handlerOf(), website, request, reply);
          },
        });
      });
    },
  }));
}

async function loadHandler({ statistics, clock, log }: Parts): Promise<McpHttpHandler> {
  const [{ createMcpHandler }, { createWebsiteServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('./create-website-server.ts'),
  ]);
  return createMcpHandler(
    ({ authInfo }) => {
      const { website, origin } = authInfo!.extra as Extra;
      return createWebsiteServer({
        version,
        website,
        origin,
        today: () => createLocalTime(website.timezone)(clock.now()).day,
        onFault: (error, kind) => log.error({ err: error, website: website.id, kind }, 'a question failed'),
        ask: async (kind, question, signal) => {
          const [answer] = statistics.answerScreen(website, [{ kind, question }], { by: 'user', signal });
          return await answer!;
        },
      });
    },
    { onerror: (error) => log.warn({ err: error }, 'a request of the Model Context Protocol failed') },
  );
}

async function websiteOf(
  { authenticate, websiteCache, log }: Parts,
  { headers }: FastifyRequest,
): Promise<Website | StatsFault> {
  try {
    const reader = await authenticate(headers.authorization);
    if ('refused' in reader) return statsFault('unauthorized', reader.message);
    if (websiteCache.get(reader.websiteId) === undefined) await websiteCache.refresh();
    const website = websiteCache.get(reader.websiteId);
    return (
      website ?? statsFault('website-not-ready', 'The website is being set up: try again in a moment', 1)
    );
  } catch (error) {
    const fault = readStatsFault(error);
    if (fault.isOurs) log.error({ err: error }, 'cannot look up who asks for statistics');
    return fault;
  }
}

/** Passes a request on to the library, which speaks the types of the web. */
async function forward(
  handler: McpHttpHandler,
  website: Website,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const { method, headers, url, body } = request;
  const origin = `${isSecure(request.raw) ? 'https' : 'http'}://${headers.host ?? 'localhost'}`;
  const gone = new AbortController();
  reply.raw.once('close', () => !reply.raw.writableFinished && gone.abort());
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name === 'authorization' ? [] : [[name, String(value)]],
  );
  const asked = new Request(new URL(url, 'http://localhost'), {
    method,
    headers: given,
    signal: gone.signal,
    ...(method === 'POST' && { body: new Uint8Array(body as Buffer) }),
  });
  const extra: Extra = { website, origin };
  const authInfo = { token: '', clientId: String(website.id), scopes: [], extra };
  const response = await handler.fetch(asked, { authInfo });
  reply.code(response.status).header('Cache-Control', 'no-store');
  for (const [name, value] of response.headers) if (!hopByHop.has(name)) reply.header(name, value);
  return reply.send(response.body === null ? '' : Readable.fromWeb(response.body as never));
}

const hopByHop = new Set(['connection', 'cache-control', 'content-length', 'transfer-encoding']);

function sendFault(reply: FastifyReply, { code, fault, message, retryAfterSeconds }: StatsFault) {
  if (code === 401) reply.header('WWW-Authenticate', 'Bearer');
  if (retryAfterSeconds !== undefined) reply.header('Retry-After', String(retryAfterSeconds));
  return reply
    .code(code)
    .type('application/json')
    .send(faultText(code, fault, message));
}
