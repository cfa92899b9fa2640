import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { createEventTracker, type EventTrackerOptions } from '../../handler/create-event-tracker.ts';
import { createHandler } from '../../handler/create-handler.ts';
import { createPageCounter } from '../../handler/create-page-counter.ts';
import { defaultPath } from '../../handler/endpoint-path.ts';
import type { HandlerOptions, PageCounterOptions } from '../../handler/handler-options.ts';
import type { EventParameters } from '../../record/metrics.ts';
import type { IncomingRecord } from '../../request/incoming-request.ts';
import { type NodeRequest, type NodeResponse, toIncomingRequest } from '../node/node-request.ts';
import { readStream } from '../node/read-node-body.ts';
import { isCutShort, sendNodeAnswer } from '../node/send-node-answer.ts';
import { watchNodePage } from '../node/watch-node-page.ts';

/** The part of Fastify that we need, in versions 4 and 5. */
export type FastifyRequest = {
  raw: NodeRequest;
  headers: IncomingHttpHeaders;
  originalUrl: string;
  body: unknown;
};
export type FastifyReply = {
  raw: NodeResponse;
  code(status: number): unknown;
  headers(headers: Record<string, string>): unknown;
  send(payload: string): unknown;
  hijack(): unknown;
};
export type FastifyInstance = {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    parse: (request: FastifyRequest, payload: Readable, done: Done) => void,
  ): unknown;
  route(route: {
    method: Method[];
    url: string;
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  }): unknown;
  addHook(
    name: 'onRequest',
    hook: (request: FastifyRequest, reply: FastifyReply, done: () => void) => void,
  ): unknown;
};
type Method = 'GET' | 'HEAD' | 'POST' | 'OPTIONS' | 'PUT' | 'PATCH' | 'DELETE';
type Done = (fault: Error | null, body?: unknown) => void;

/** A method, so that `clientId` can use Fastify's own, larger request type. */
type ClientIdOption = {
  clientId?(request: FastifyRequest): ReturnType<NonNullable<HandlerOptions['clientId']>>;
};
export type FastifyHandlerOptions = Omit<HandlerOptions, 'clientId'> & ClientIdOption;
export type FastifyEventTrackerOptions = Omit<EventTrackerOptions, 'clientId'> & ClientIdOption;
export type FastifyPageCounterOptions = Omit<PageCounterOptions, 'clientId'> & ClientIdOption;

const methods: Method[] = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'];

/**
 * Adds the endpoint: `app.register(trackside, { … })`. A `prefix` is put before the path, as for any route.
 */
export async function trackside(instance: FastifyInstance, options: FastifyHandlerOptions): Promise<void> {
  const handler = createHandler<FastifyRequest>(options);
  // Only inside this plugin: the application's parsers stay as they are, and our body stays unread until we
  // read it.
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('text/plain', (_request, payload, done) => done(null, payload));
  // The body is checked by its content, whatever its announced type. Fastify would refuse a type that it
  // cannot read.
  instance.addHook('onRequest', ({ raw }, _reply, done) => {
    raw.headers['content-type'] = 'text/plain';
    done();
  });
  instance.route({
    method: methods,
    url: options.path ?? defaultPath,
    handler: async (request, reply) => {
      const answer = await handler.handle(toIncomingRecord(request), request);
      if (isCutShort(request.raw)) {
        reply.hijack();
        sendNodeAnswer(request.raw, reply.raw, answer);
        return reply;
      }
      reply.code(answer.status);
      reply.headers(answer.headers);
      reply.send(answer.body);
      return reply;
    },
  });
}

/** Counts pages without a script: `app.register(countPages, { … })`, for all routes of the instance. */
export const countPages = Object.assign(
  async function countPages(instance: FastifyInstance, options: FastifyPageCounterOptions): Promise<void> {
    const counter = createPageCounter<FastifyRequest>(options);
    instance.addHook('onRequest', (request, reply, done) => {
      watchNodePage(counter, request.raw, reply.raw, request.originalUrl, request);
      done();
    });
  },
  // Tells Fastify that the plugin's hooks also apply outside of the plugin.
  { [Symbol.for('skip-override')]: true },
);

/**
 * Creates a function for events that the backend knows about: `trackEvent(request, 'Order paid', { total: 44
 * })`. The event belongs to the visitor of that request.
 */
export function trackEvents(
  options: FastifyEventTrackerOptions,
): (request: FastifyRequest, name: string, parameters?: EventParameters) => void {
  const tracker = createEventTracker<FastifyRequest>(options);
  return (request, name, parameters = {}) => {
    const incoming = toIncomingRequest(request.raw, request.originalUrl);
    tracker.track(incoming, request, { name, parameters });
  };
}

function toIncomingRecord(request: FastifyRequest): IncomingRecord {
  const { raw, originalUrl, body } = request;
  return Object.assign(toIncomingRequest(raw, originalUrl), {
    async readText(maxBytes: number) {
      if (Number(raw.headers['content-length']) > maxBytes) return undefined;
      return body === undefined || body === null ? '' : readStream(body as Readable, maxBytes);
    },
  });
}
