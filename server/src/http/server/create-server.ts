import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type AppFaultCode, appFaults } from '@trackside/contract/app/fault-codes.ts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { spellFault } from '../../files/system-fault.ts';
import type { Log } from '../../log.ts';
import { isSecure } from '../app/cookie.ts';
import type { Tracking } from '../tracking/create-tracking.ts';
import { openFastLane } from '../tracking/fast-lane/open-fast-lane.ts';
import { createTrackingHandler, trackedKind } from '../tracking/tracking-handler.ts';
import { answerText, faultText, safeHeaders } from './answer.ts';
import { answerClientError } from './answer-client-error.ts';
import { closeWithAnswer } from './close-with-answer.ts';
import { createLastAnswers } from './last-answers.ts';
import { readDiskFault } from './read-disk-fault.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
/** In a path, `:name` stands for one segment and `*` for the rest. */
type Route = {
  method: Method;
  path: string;
  register: (app: FastifyInstance) => void;
  /** Whether there is something at a path that fits. There always is if left out. */
  hasPath?: (path: string) => boolean;
  /** Whether it belongs to the tracking interface, so that its answers have that shape. */
  isTracking?: boolean;
};

export const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  // Longer than the idle timeout of common load balancers, so that they close first.
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 5000,
};
export const fastLaneTickMs = 1000;
export const maxConnections = 20_000;

/**
 * Keeps Fastify from loading Ajv and a serializer at every start. No route has a schema for Fastify, because
 * forms and questions are checked by their own readers.
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
 * Creates the one server for everything. Plain tracking requests are most of the load and are answered in the
 * fast lane. Other requests to the same two paths are handled by node:http, and every other path by Fastify.
 */
export async function createHttpServer(parts: {
  tracking: Tracking;
  routes: Route[];
  /** Answers a browser that asks for a page that does not exist. Without it, the answer is JSON. */
  sendPage?: (request: FastifyRequest, reply: FastifyReply) => unknown;
  log: Log;
  /** Shorter timeouts, for tests. */
  timeouts?: Partial<Omit<typeof limits, 'maxHeaderSize'>> & { fastLaneTickMs?: number };
}) {
  const { tracking, routes, sendPage, log } = parts;
  const send = createSender(routes);
  const shapes = routes.map(({ path, method, hasPath = () => true }) => ({
    method,
    shape: shapeOf(path),
    hasPath,
  }));
  const { fastLaneTickMs: tickMs = fastLaneTickMs, ...timeouts } = parts.timeouts ?? {};
  const track = createTrackingHandler(tracking);
  const sendNothingHere = (request: FastifyRequest, reply: FastifyReply) =>
    send(request, reply, 'not-found', nothingAt(request.url));
  let server: Server | undefined;
  let isStopping = () => false;
  let isAdopted = (_socket: Socket) => false;
  const lastAnswers = createLastAnswers();
  const app = Fastify({
    schemaController: noSchemas,
    clientErrorHandler: answerClientError,
    frameworkErrors: (_error, request, reply) => sendNothingHere(request, reply),
    serverFactory: (handleOther) => {
      const handle = (request: IncomingMessage, response: ServerResponse) => {
        // A request that cannot be answered is not handled either.
        if (!lastAnswers.admit(request.socket, response)) return;
        // A proxy must not collect connections that only the first worker serves.
        if (isStopping() || isAdopted(request.socket)) response.shouldKeepAlive = false;
        // Node's parser takes what follows an upgrade for another protocol and drops it, so nothing may
        // follow.
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
    const fitting = shapes.filter(({ shape, hasPath }) => shape.test(path) && hasPath(path));
    const allowed = [...new Set(fitting.map(({ method }) => method))];
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
    // Fastify checks method and Content-Type even where there is no route. Such a fault is not the server's.
    if (request.is404 && (error.statusCode ?? 500) < 500) return answerUnrouted(request, reply);
    if (error.statusCode === 413) return send(request, reply, 'body-too-large', error.message);
    if (error.statusCode === 415)
      return send(request, reply, 'unsupported-type', 'Content-Type: expected application/json');
    const about = { method: request.method, route: request.routeOptions.url };
    if (request.raw.destroyed && !request.raw.complete) {
      log.info({ reason: 'unfinished', ...about }, 'a client disconnected in the middle of its request');
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
  isAdopted = fastLane.isAdopted;
  return { app, server: server!, fastLane };
}

/** A year, renewed by every answer. */
const httpsOnly = 'max-age=31536000';

/**
 * Sets the headers of every answer. A browser that used https must use https again.
 * `includeSubDomains` and `preload` are left out, because other hosts of this domain are not ours to decide
 * about, and the operator can add them in the proxy. Browsers ignore the header over plain http.
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
 * Returns a function that sends the answers that no handler sends. For a request that reached a route, and
 * everywhere below the paths of settings and statistics, they have the shape of our own faults. All others
 * have the shape of the tracking interface, because requests with a mistyped path or method end up here.
 */
function createSender(routes: readonly Route[]) {
  const areas = new Set(routes.filter(({ isTracking }) => !isTracking).map(({ path }) => areaOf(path)));
  return (request: FastifyRequest, reply: FastifyReply, fault: AppFaultCode, message: string) => {
    const code = appFaults[fault];
    const area = areaOf(request.url);
    const isOurs = area === undefined ? !request.is404 : areas.has(area);
    const text = isOurs ? faultText(code, fault, message) : answerText(code, message);
    return reply.code(code).type('application/json').send(text);
  };
}

/** Returns `/api/websites` for `/api/websites/1?a=b`. */
const areaOf = (path: string) => /^\/api\/[^/?]+/.exec(path)?.[0];

/** Says which path was probably meant, because a slash too many is the most common mistake. */
function nothingAt(url: string): string {
  const path = `/${url.split('?', 1)[0]!.split('/').filter(Boolean).join('/')}`.toLowerCase();
  return trackedKind(path) === undefined
    ? 'Not found: this path does not exist'
    : `Not found: send this to ${path}, spelled like this`;
}

function refuseConnect({ socket }: IncomingMessage): void {
  // Node has detached the socket. Without a listener, a client that resets the connection would end the
  // process.
  socket.on('error', () => {});
  const head = 'HTTP/1.1 405 Method Not Allowed\r\nAllow: GET, POST';
  closeWithAnswer(socket, head, 405, 'Method not allowed: this is not a proxy');
}
