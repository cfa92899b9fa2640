import { maxBodyBytes } from '@trackside/contract/app/limits.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { User } from '../../control/accounts/user-row.ts';
import { ControlError } from '../../control/database/control-error.ts';
import type { Control } from '../../control/open-control.ts';
import type { Website } from '../../control/websites/website-row.ts';
import { spellFault } from '../../files/system-fault.ts';
import type { Log } from '../../log.ts';
import type { Clock } from '../../time/clock.ts';
import { readDiskFault } from '../server/read-disk-fault.ts';
import { takeWholeBodies } from '../server/take-whole-bodies.ts';
import { readStatsFault } from '../stats/read-stats-fault.ts';
import { AppFault, notFound } from './app-fault.ts';
import {
  type AppAnswer,
  type AppRequest,
  type AppRoute,
  type AppSender,
  isAboutWebsite,
} from './app-route.ts';
import { clientAddress, isBehindUnknownProxy } from './client-address.ts';
import { isSecure, readSessionCookie, sessionCookie } from './cookie.ts';
import { deviceCookie, readDeviceCookie } from './device-cookie.ts';
import { isOwnOrigin } from './is-own-origin.ts';
import { nameDevice } from './name-device.ts';
import { eventStreamType, openEventStream } from './open-event-stream.ts';
import { readForm } from './read-form.ts';

export type AppParts = {
  control: Pick<Control, 'users' | 'sessions' | 'websites' | 'operatorProofs'>;
  /** The number of proxies in front of this node whose X-Forwarded-For is trusted. */
  trustedProxies: number;
  /** Called for a request that came through a proxy although none is trusted. */
  onUnknownProxy: () => void;
  clock: Clock;
  log: Log;
};

const busySeconds = 2;

/** Returns the routes of the web application, each behind the same guards. */
export function appRoutes(parts: AppParts, routes: readonly AppRoute[]) {
  const registerAll = (app: FastifyInstance) =>
    void app.register(async (scope) => {
      takeWholeBodies(scope, maxBodyBytes);
      for (const route of routes) register(scope, parts, route);
    });
  return routes.map(({ method, path }, index) => ({
    method,
    path,
    // All of them share one scope, because each scope takes time whenever a server starts.
    register: index === 0 ? registerAll : () => {},
  }));
}

function register(scope: FastifyInstance, parts: AppParts, route: AppRoute): void {
  scope.route({
    method: route.method,
    url: route.path,
    // An event stream never ends, and what is recorded would be so without being shown.
    exposeHeadRoute: route.answers.type !== eventStreamType && !route.answers.isRecorded,
    onRequest: (request, reply, next) => {
      if (isRefusedEarly(parts, route, request, reply)) return;
      next();
    },
    handler: (request, reply) => answer(parts, route, request, reply),
  });
}

/** Refuses a request by its headers alone, before its body is read and before any database is asked. */
function isRefusedEarly(
  parts: AppParts,
  route: AppRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): boolean {
  reply.header('Cache-Control', 'no-store');
  try {
    if (parts.trustedProxies === 0 && isBehindUnknownProxy(request.raw)) parts.onUnknownProxy();
    if (route.method !== 'GET' && !isOwnOrigin(request.headers))
      throw new AppFault(
        'foreign-origin',
        'Forbidden: only the pages of this server can send this request (Origin)',
      );
    const isKnown = sessionTokenOf(request) !== '' || isOperator(parts, route, request);
    if (route.access !== 'anyone' && !isKnown) throw signIn();
    route.refuseEarly?.(senderOf(parts, request));
    return false;
  } catch (error) {
    sendFault(reply, toFault(parts, route, error));
    return true;
  }
}

async function answer(parts: AppParts, route: AppRoute, request: FastifyRequest, reply: FastifyReply) {
  try {
    const guarded = await guard(parts, route, request);
    return send(parts, request, reply, route, await route.handle(guarded));
  } catch (error) {
    return sendFault(reply, toFault(parts, route, error));
  }
}

function sendFault(reply: FastifyReply, { code, message, fault, fields, headers, more }: AppFault) {
  return reply
    .code(code)
    .headers(headers)
    .send({ code, fault, message, ...(fields && { fields }), ...more });
}

const signIn = () => new AppFault('unauthorized', 'Unauthorized: sign in');

const sessionTokenOf = (request: FastifyRequest) =>
  readSessionCookie(request.headers, isSecure(request.raw)) ?? '';

function senderOf({ trustedProxies }: AppParts, { raw }: FastifyRequest): AppSender {
  const deviceProof = readDeviceCookie(raw.headers, isSecure(raw));
  const device = nameDevice(raw.headers['user-agent'] ?? '');
  return { address: clientAddress(raw, trustedProxies), deviceProof, device };
}

/** Whether a command asks that runs on the server's machine and can read its key file. */
function isOperator({ control }: AppParts, route: AppRoute, { headers }: FastifyRequest): boolean {
  const proof = headers['trackside-operator'];
  return route.isForOperators === true && typeof proof === 'string' && control.operatorProofs.isValid(proof);
}

/** Runs the guards of every route: finds the user and the website, and reads the body. */
async function guard(parts: AppParts, route: AppRoute, request: FastifyRequest): Promise<AppRequest> {
  const sessionToken = sessionTokenOf(request);
  const params = request.params as Record<string, string>;
  const admitNow = async () =>
    isOperator(parts, route, request)
      ? { user: undefined, website: await findAnyWebsite(parts, params.id!) }
      : await admit(parts, route, sessionToken, params.id);
  const { user, website } = await admitNow();
  const body = route.body === undefined ? {} : readForm(readJson(request), route.body);
  return {
    // A route whose guard finds no user or website does not use them.
    user: user as User,
    website: website as Website,
    sessionToken,
    params,
    query: request.query as Record<string, string | undefined>,
    body,
    ...senderOf(parts, request),
    isStillAllowed: () =>
      admitNow().then(
        () => true,
        () => false,
      ),
  };
}

/** Finds the user and the website of a request. Throws a fault if the user may not do this. */
async function admit(parts: AppParts, route: AppRoute, sessionToken: string, id: string | undefined) {
  const user = route.access === 'anyone' ? undefined : await findUser(parts, sessionToken);
  const website = isAboutWebsite(route) ? await findWebsite(parts, user!, id!) : undefined;
  if (route.access === 'admin' && user!.role !== 'admin')
    throw new AppFault('forbidden', 'Forbidden: only admins can do this');
  return { user, website };
}

async function findUser({ control }: AppParts, sessionToken: string): Promise<User> {
  const session = await control.sessions.find(sessionToken);
  const user = session && (await control.users.get(session.userId));
  if (user === undefined) throw signIn();
  return user;
}

/** Finds a website. One that a viewer may not see is answered like one that does not exist. */
async function findWebsite(parts: AppParts, user: User, id: string): Promise<Website> {
  if (user.role !== 'admin' && !user.websites.includes(Number(id))) throw notFound();
  return await findAnyWebsite(parts, id);
}

async function findAnyWebsite({ control }: AppParts, id: string): Promise<Website> {
  if (!/^\d{1,10}$/.test(id)) throw notFound();
  const website = await control.websites.find(id);
  if (website === undefined) throw notFound();
  return website;
}

function readJson({ headers, body }: FastifyRequest): unknown {
  // A form on another site can send text, but it cannot send JSON without a preflight request.
  if (!/^application\/json\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw new AppFault('unsupported-type', 'Content-Type: expected application/json');
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer));
  } catch {
    throw new AppFault('body-invalid', 'Body: expected JSON in UTF-8');
  }
}

function send(
  { clock }: AppParts,
  request: FastifyRequest,
  reply: FastifyReply,
  route: AppRoute,
  { code = route.answers.code, body, stream, events, session, deviceProof }: AppAnswer,
) {
  const isOnTls = isSecure(request.raw);
  const cookies: string[] = [];
  if (session !== undefined) {
    const cookie =
      session === 'ended'
        ? undefined
        : {
            token: session.token,
            maxAgeSeconds: Math.max(0, Math.floor((session.expiresAt - clock.now()) / 1000)),
          };
    cookies.push(sessionCookie(cookie, isOnTls));
  }
  if (deviceProof !== undefined) cookies.push(deviceCookie(deviceProof, isOnTls));
  if (cookies.length > 0) reply.header('Set-Cookie', cookies);
  reply.code(code);
  if (events !== undefined) {
    events(() => openEventStream(request, reply));
    return reply;
  }
  if (stream !== undefined) {
    reply.header('Content-Disposition', `attachment; filename="${stream.fileName}"`);
    return reply.type(stream.type).send(stream.content);
  }
  return body === undefined ? reply.send() : reply.send(body);
}

function toFault({ log }: AppParts, route: AppRoute, error: unknown): AppFault {
  if (error instanceof AppFault) return error;
  if (error instanceof ControlError) {
    const { reason, message, field } = error;
    return new AppFault(reason, message, {
      ...(field !== undefined && { fields: { [field]: message } }),
      ...(reason === 'busy' && { headers: { 'Retry-After': String(busySeconds) } }),
    });
  }
  const disk = readDiskFault(error);
  if (disk !== undefined) {
    log.error({ err: error, method: route.method, route: route.path }, spellFault(disk.fault));
    return new AppFault('disk-fault', disk.message, {
      headers: { 'Retry-After': String(disk.retryAfterSeconds) },
    });
  }
  const { fault, message, retryAfterSeconds, isOurs } = readStatsFault(error);
  if (isOurs) log.error({ err: error, method: route.method, route: route.path }, 'a request failed');
  const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return new AppFault(fault, message, { headers });
}
