import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname } from 'node:path';
import type { LiveScene, ShareAnswer, WebsiteSettings } from '../../src/api/shapes.ts';
import { standInApi } from './stand-in-api.ts';
import type { StandInData } from './stand-in-data.ts';
import {
  answerBatch,
  answerOne,
  anyWords,
  findAsked,
  findShared,
  sceneOf,
  toCsvText,
} from './stand-in-stats.ts';

const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** As strict as a node's policy, and stricter. The pages must work with it. */
const policyFor = (path: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    `frame-ancestors ${/^\/share\/[^/]+\/embed$/.test(path) ? '*' : "'none'"}`,
  ].join('; ');

const openToAll = ['GET /api/setup', 'POST /api/setup', 'POST /api/session'];
const unauthorized = { code: 401, fault: 'unauthorized', message: 'Unauthorized: sign in' };
const endedLink = { code: 401, fault: 'unauthorized', message: anyWords };
const notFound = {
  code: 404,
  fault: 'not-found',
  message: "Not found: this doesn't exist, or you don't have access",
};

const writeJson = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): ServerResponse =>
  response
    .writeHead(status, { 'Content-Type': 'application/json', ...headers })
    .end(body === undefined ? undefined : JSON.stringify(body));

/** Rewords every sentence of a fault. Leaves anything else unchanged. */
function inOtherWords(body: unknown, say: (message: string) => string): unknown {
  if (typeof body !== 'object' || body === null || !('fault' in body) || !('message' in body)) return body;
  const fields = 'fields' in body ? Object.entries(body.fields as Record<string, string>) : [];
  return {
    ...body,
    message: say(String(body.message)),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields.map(([name, text]) => [name, say(text)])) }),
  };
}

/**
 * Serves the built application with a made-up API. The pages are tested with it; the API has its own tests.
 */
export async function startStandIn(folder: string, data: StandInData) {
  const api = standInApi(data);
  const listeners = new Map<ServerResponse, number>();
  const sendJson = (
    response: ServerResponse,
    status: number,
    body: unknown,
    headers: Record<string, string> = {},
  ) => writeJson(response, status, data.say === undefined ? body : inOtherWords(body, data.say), headers);

  function answerApi(
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    text: string,
  ): ServerResponse {
    const ids = [...url.pathname.matchAll(/\/(\d+)(?=\/|$)/g)].map(([, id]) => Number(id));
    const name = `${request.method} ${url.pathname.replace(/\/\d+(?=\/|$)/g, '/:id')}`;
    if (data.session === undefined && !openToAll.includes(name)) return sendJson(response, 401, unauthorized);
    if (name === 'GET /api/websites/:id/live')
      return answerLive(
        response,
        data.websites.find(({ id }) => id === ids[0]),
      );
    const { status, body, headers } = api[name]?.(
      ids,
      text === '' ? {} : JSON.parse(text),
      url.searchParams,
    ) ?? { status: 404, body: notFound };
    return sendJson(response, status, body, headers);
  }

  /** For everybody with the link, signed in or not. */
  function answerShare(response: ServerResponse, path: string): ServerResponse {
    const [, , , token = '', what] = path.split('/');
    const site = findShared(data, token);
    if (what === 'live') return answerLive(response, site);
    if (site === undefined) return sendJson(response, 404, notFound);
    const { id, name, shownDomain, timezone } = site;
    const answer: ShareAnswer = {
      website: { id, name, shownDomain, timezone },
      demoRecords: data.demo.records,
    };
    return sendJson(response, 200, answer);
  }

  async function answerStats(
    request: IncomingMessage,
    response: ServerResponse,
    kind: string,
    text: string,
  ): Promise<ServerResponse> {
    const site = findAsked(data, request.headers);
    if (site === undefined)
      return sendJson(response, 401, 'trackside-share' in request.headers ? endedLink : unauthorized);
    const body = text === '' ? {} : JSON.parse(text);
    if (kind === 'batch') {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson; charset=utf-8' });
      for await (const line of answerBatch(data, site, body.questions)) response.write(line);
      return response.end();
    }
    const line = answerOne(data, site, kind, body);
    if ('fault' in line) {
      const { code, fault, message, retryAfterSeconds } = line;
      const headers = retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
      return sendJson(response, code, { code, fault, message }, headers);
    }
    const { answer } = line;
    if (kind === 'query' && request.headers.accept?.startsWith('text/csv'))
      return response
        .writeHead(200, { 'Content-Type': 'text/csv; charset=utf-8' })
        .end(toCsvText(answer, body));
    return sendJson(response, 200, answer);
  }

  /** Sends one scene, and keeps the stream open. */
  function answerLive(response: ServerResponse, site: WebsiteSettings | undefined): ServerResponse {
    if (site === undefined) return sendJson(response, 404, notFound);
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write('retry: 3000\n\n');
    if (data.isEngineAway) tell(response, 'away', { fault: 'engine-away', message: anyWords });
    else tell(response, 'scene', sceneOf(data, site));
    listeners.set(response, site.id);
    return response.on('close', () => listeners.delete(response));
  }

  const tell = (response: ServerResponse, event: 'scene' | 'away', content: object) =>
    response.write(`event: ${event}\ndata: ${JSON.stringify(content)}\n\n`);

  function answerFile(response: ServerResponse, path: string): ServerResponse {
    const page = path === '/reference' ? '/reference.html' : '/index.html';
    const name = extname(path) === '' ? page : path;
    try {
      const content = readFileSync(folder + name);
      const type = types[extname(name)] ?? 'application/json';
      return response
        .writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policyFor(path) })
        .end(content);
    } catch {
      return response.writeHead(404).end();
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<ServerResponse> {
    const url = new URL(request.url ?? '/', 'http://stand-in');
    const path = url.pathname;
    if (!path.startsWith('/api/')) return answerFile(response, path);
    const text = (await request.toArray()).join('');
    if (path.startsWith('/api/share/')) return answerShare(response, path);
    const [, kind] = /^\/api\/stats\/(\w+)$/.exec(path) ?? [];
    if (kind !== undefined) return await answerStats(request, response, kind, text);
    return answerApi(request, response, url, text);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { port: number };
  return {
    origin: `http://127.0.0.1:${address.port}`,
    data,
    /** Something happens on a website: everybody who watches it live gets the new scene. */
    changeScene(site: WebsiteSettings, changes: Partial<LiveScene>) {
      for (const [response, id] of listeners)
        if (id === site.id) tell(response, 'scene', { ...sceneOf(data, site), ...changes });
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
