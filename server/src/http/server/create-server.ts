import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AppFaultCode, appFaults } from '@trackside/contract/app/fault-codes.ts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { spellFault } from '../../files/system-fault.ts';
import type { Log } from '../../log.ts';
import { isSecure } from '../app/cookie.ts';
import type { Tracking } from '../tracking/create-tracking.ts';
import { openFastLane } from '../tracking/fast-lane/open-fast-lane.ts';
import { createTrackingHandler, trackedKind } from '../tracking/tracking-handler.ts';
import { answerText, safeHeaders } from './answer.ts';
import { answerClientError } from './answer-client-error.ts';
import { closeWithAnswer } from './close-with-answer.ts';
import { createLastAnswers } from './last-answers.ts';
import { readDiskFault } from './read-disk-fault.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** In a path, `:name` stands for one part of it and `*` for the rest. */
type Route = { method: Method; path: string; register: (app: FastifyInstance) => void };

const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  // Longer than the idle time of common load balancers, so that it is they who close first.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5000,
};
const fastLaneTickMs = 1000;
const maxConnections = 20_000;

/**
 * No route has a schema for Fastify: forms and questions are checked by their own readers. Without this,
 * every start loads Ajv and a serializer for nothing.
 */
const noSchemas = {
  compilersFactory: {
    buildValidator: () => refuseSchema,
    buildSerializer: () => refuseSchema,
  },
};

function refuseSchema(): never {
  throw new Error('expected no route to have a schema for Fastify');
}

/**
 * One server for everything. Plain tracking requests are answered in the fast lane, because they carry the
 * load; the other ones to the same two paths by node:http; every other path goes through Fastify.
 */
export async function createHttpServer(parts: {
  tracking: Tracking;
  routes: Route[];
  /** Answers who looks for a page where there is none; without it, it is an answer like the others. */
  sendPage?: (request: FastifyRequest, reply: FastifyReply) => unknown;
  log: Log;
  /** Shorter ones for tests. */
  timeouts?: Partial<Omit<typeof limits, 'maxHeaderSize'>> & { fastLaneTickMs?: number };
}) {
  const { tracking, routes, sendPage, log } = parts;
  const send = createSender(routes);
  const shapes = routes.map(({ path, method }) => ({ method, shape: shapeOf(path) }));
  const { fastLaneTickMs: tickMs = fastLaneTickMs, ...timeouts } = parts.timeouts ?? {};
  const track = createTrackingHandler(tracking);
  const sendNothingHere = (request: FastifyRequest, reply: FastifyReply) =>
    send(request, reply, 'not-found', 'Not found: there is nothing at this path');
  let server: Server | undefined;
  let isStopping = () => false;
  const isLast = createLastAnswers();
  const app = Fastify({
    schemaController: noSchemas,
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error, request, reply) => sendNothingHere(request, reply),
    serverFactory: (handleOther) => {
      const handle = (request: IncomingMessage, response: ServerResponse) => {
        // What cannot be answered is not taken either.
        if (isStopping() && !isLast(request.socket, response)) return;
        // Node's parser takes what follows an upgrade for another protocol, and drops it: nothing may follow.
        if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
        const kind = trackedKind(request.url ?? '');
        if (kind === undefined) {
          setSafeHeaders(request, response);
          handleOther(request, response);
        } else track(kind, request, response);
      };
      server = createServer({ ...limits, ...timeouts, requireHostHeader: false, noDelay: true }, handle);
      server.on('checkContinue', (request, response) => {
        if (trackedKind(request.url ?? '') === undefined) response.writeContinue();
        handle(request, response);
      });
      server.on('checkExpectation', handle);
      server.on('connect', refuseConnect);
      server.maxConnections = maxConnections;
      // A client that closes its side after the request still wants the answer.
      Object.assign(server, { httpAllowHalfOpen: true });
      return server;
    },
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
  for (const route of routes) route.register(app);

  const answerUnrouted = (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?', 1)[0]!;
    const allowed = [...new Set(shapes.filter(({ shape }) => shape.test(path)).map(({ method }) => method))];
    if (allowed.length === 0) {
      const wantsPage = request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? '');
      if (wantsPage && sendPage !== undefined && !path.startsWith('/api/'))
        return sendPage(request, reply.code(404));
      return sendNothingHere(request, reply);
    }
    reply.header('Allow', allowed.join(', '));
    return send(request, reply, 'method-not-allowed', `Method not allowed: send a ${allowed.join(' or ')}`);
  };
  app.setNotFoundHandler(answerUnrouted);
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    // Fastify looks at method and Content-Type even where there is no route: what it finds is no fault of
    // ours.
    if (request.is404 && (error.statusCode ?? 500) < 500) return answerUnrouted(request, reply);
    if (error.statusCode === 413)
      return send(request, reply, 'body-too-large', 'Body: expected a smaller one');
    if (error.statusCode === 415)
      return send(request, reply, 'unsupported-type', 'Content-Type: expected application/json');
    const about = { method: request.method, route: request.routeOptions.url };
    if (request.raw.destroyed && !request.raw.complete) {
      log.info({ reason: 'unfinished', ...about }, 'a client left in the middle of its request');
      return reply.hijack().raw.destroy();
    }
    const disk = readDiskFault(error);
    log.error({ err: error, ...about }, disk === undefined ? 'a request failed' : spellFault(disk.fault));
    reply.header('Retry-After', String(disk?.retryAfterSeconds ?? 5));
    const fault = disk === undefined ? 'internal' : 'disk-fault';
    return send(request, reply, fault, disk?.message ?? 'Internal fault: try again');
  });
  await app.ready();
  const { keepAliveTimeout: keepAliveMs, requestTimeout: requestMs } = server!;
  const fastLane = openFastLane({ server: server!, tracking, keepAliveMs, requestMs, tickMs, log });
  isStopping = fastLane.isStopping;
  return { app, server: server!, fastLane };
}

/** A year, renewed by every answer. */
const httpsOnly = 'max-age=31536000';

/**
 * Whoever came by https is to come by https again. Not `includeSubDomains` or `preload`: other hosts of this
 * domain are not ours to decide about, and the operator can add them in the proxy. Over plain http browsers
 * must ignore it anyway.
 */
function setSafeHeaders(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader(...safeHeaders);
  if (isSecure(request)) response.setHeader('Strict-Transport-Security', httpsOnly);
}

function shapeOf(path: string): RegExp {
  const escaped = path.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replace(/:\w+/g, '[^/]+').replace('*', '.*')}$`);
}

/**
 * Sends what no route answers. Where the settings and the statistics are asked, it has the code of the fault.
 */
function createSender(routes: readonly Route[]) {
  const areas = new Set(routes.map(({ path }) => areaOf(path)));
  return (request: FastifyRequest, reply: FastifyReply, fault: AppFaultCode, message: string) => {
    const code = appFaults[fault];
    const area = areaOf(request.url);
    const isCoded = area !== undefined && areas.has(area);
    const text = answerText(code, message, isCoded ? fault : undefined);
    return reply.code(code).type('application/json').send(text);
  };
}

/** Of `/api/websites/1?a=b`, `/api/websites`. */
const areaOf = (path: string) => /^\/api\/[^/?]+/.exec(path)?.[0];

function refuseConnect({ socket }: IncomingMessage): void {
  // Node has let go of the socket: without a listener, a client that resets it would end the process.
  socket.on('error', () => {});
  const head = 'HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, POST';
  closeWithAnswer(socket, head, 405, 'Method not allowed: this is not a proxy');
}
