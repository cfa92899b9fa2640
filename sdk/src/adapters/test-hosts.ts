import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import express, { type Request as ExpressRequest } from 'express';
import fastify, { type FastifyRequest } from 'fastify';
import { type Context, Hono } from 'hono';
import type { HandlerOptions, PageCounterOptions } from '../handler/handler-options.ts';
import * as forExpress from './express/express.ts';
import * as forFastify from './fastify/fastify.ts';
import * as forHono from './hono/hono.ts';
import * as forNext from './next/next.ts';
import * as forNode from './node/node.ts';
import { pathOf } from './node/node-request.ts';
import * as forWeb from './web/web.ts';
import { pathOf as pathOfUrl } from './web/web-request.ts';

/** In every host, `clientId` is the header X-Account. Next cannot count pages. */
export type HostOptions = Omit<HandlerOptions, 'clientId'> & Pick<PageCounterOptions, 'ignore'>;
export type OpenHost = { port: number; close(): Promise<void> };
export type Host = { name: string; canCountPages: boolean; open(options: HostOptions): Promise<OpenHost> };

type Page = { status: number; type: string; body: string };

/** The pages that every host serves besides the endpoint. */
const pages: Record<string, Page> = {
  '/page': { status: 200, type: 'text/html; charset=utf-8', body: '<h1>Shoes</h1>' },
  '/style.css': { status: 200, type: 'text/css', body: 'h1 {}' },
  '/data': { status: 200, type: 'application/json', body: '{}' },
  '/health': { status: 200, type: 'text/html', body: 'ok' },
  '/broken': { status: 500, type: 'text/html', body: '<h1>Sorry</h1>' },
  '/gone': { status: 404, type: 'text/html', body: '<h1>Gone</h1>' },
  '/moved': { status: 302, type: 'text/html', body: '<a href="/page">' },
  '/known': { status: 304, type: '', body: '' },
};
const headersOf = ({ type }: Page): Record<string, string> => (type === '' ? {} : { 'content-type': type });

const expressHost: Host = {
  name: 'Express',
  canCountPages: true,
  open(options) {
    const app = express();
    const clientId = (req: ExpressRequest) => req.get('x-account');
    app.use(forExpress.countPages({ ...options, clientId }));
    app.use(forExpress.trackside({ ...options, clientId }));
    app.use(express.text());
    for (const [path, page] of Object.entries(pages)) {
      app.get(path, (_req, res) => void res.status(page.status).set(headersOf(page)).send(page.body));
    }
    const trackEvent = forExpress.trackEvents({ ...options, clientId });
    app.post('/form', (req, res) => {
      trackEvent(req, 'Form', { text: req.body });
      res.send(`form: ${req.body}`);
    });
    return listen(createServer(app));
  },
};

const nodeHost: Host = {
  name: 'node:http',
  canCountPages: true,
  open(options) {
    const clientId = (req: IncomingMessage) => [req.headers['x-account']].flat()[0];
    const countPages = forNode.countPages({ ...options, clientId });
    const listener = forNode.createListener({ ...options, clientId });
    const trackEvent = forNode.trackEvents({ ...options, clientId });
    return listen(
      createServer((req, res) => {
        countPages(req, res);
        if (!listener(req, res)) serve(req, res, (text) => trackEvent(req, 'Form', { text }));
      }),
    );
  },
};

async function serve(
  req: IncomingMessage,
  res: ServerResponse,
  onForm: (text: string) => void,
): Promise<void> {
  const page = pages[pathOf(req.url)];
  if (page === undefined) {
    const chunks: Buffer[] = await req.toArray();
    const text = Buffer.concat(chunks).toString();
    onForm(text);
    res.end(`form: ${text}`);
    return;
  }
  res.writeHead(page.status, headersOf(page));
  res.end(page.body);
}

const fastifyHost: Host = {
  name: 'Fastify',
  canCountPages: true,
  async open(options) {
    const app = fastify();
    const clientId = (request: FastifyRequest) => [request.headers['x-account']].flat()[0];
    app.register(forFastify.countPages, { ...options, clientId });
    app.register(forFastify.trackside, { ...options, clientId });
    for (const [path, page] of Object.entries(pages)) {
      app.get(path, (_request, reply) =>
        reply
          .code(page.status)
          .headers(headersOf(page))
          .send(page.body || undefined),
      );
    }
    const trackEvent = forFastify.trackEvents({ ...options, clientId });
    app.post('/form', (request, reply) => {
      trackEvent(request, 'Form', { text: String(request.body) });
      return reply.send(`form: ${request.body}`);
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { port: (app.server.address() as AddressInfo).port, close: () => app.close() };
  },
};

const honoHost: Host = {
  name: 'Hono',
  canCountPages: true,
  open(options) {
    const app = new Hono();
    const clientId = (c: Context) => c.req.header('x-account');
    app.use(forHono.countPages({ ...options, clientId }));
    app.use(forHono.trackside({ ...options, clientId }));
    for (const [path, page] of Object.entries(pages)) {
      app.get(path, () => toResponse(page));
    }
    const trackEvent = forHono.trackEvents({ ...options, clientId });
    app.post('/form', async (c) => {
      const text = await c.req.text();
      trackEvent(c, 'Form', { text });
      return c.text(`form: ${text}`);
    });
    return listen(createAdaptorServer({ fetch: app.fetch }) as Server);
  },
};

const webHost: Host = {
  name: 'Request to Response',
  canCountPages: true,
  open(options) {
    const clientId = (request: Request) => request.headers.get('x-account');
    const countPages = forWeb.countPages({ ...options, clientId });
    const handle = forWeb.createWebHandler({ ...options, clientId });
    const trackEvent = forWeb.trackEvents({ ...options, clientId });
    return listenWeb(async (request, peer) => {
      const onForm = (text: string) => trackEvent(request, 'Form', { text }, { peer });
      const answer = (await handle(request, { peer })) ?? (await serveWeb(request, onForm));
      return countPages(request, answer, { peer });
    });
  },
};

const nextHost: Host = {
  name: 'Next.js',
  canCountPages: false,
  open(options) {
    const clientId = (request: Request) => request.headers.get('x-account');
    // Next does not reveal the peer. Its server appends it to X-Forwarded-For.
    const proxies = options.proxies ?? { header: 'x-test-peer' };
    const route = forNext.createRoute({ ...options, clientId, proxies });
    const trackEvent = forNext.trackEvents({ ...options, clientId, proxies });
    return listenWeb(async (request, peer) => {
      request.headers.set('x-test-peer', peer ?? '');
      const onForm = (text: string) => trackEvent(request, 'Form', { text });
      if (pathOfUrl(request.url) !== '/side') return serveWeb(request, onForm);
      const answer = route[request.method as 'GET'];
      return (
        answer?.(request) ??
        new Response(null, { status: 405, headers: { Allow: 'GET, HEAD, POST, OPTIONS' } })
      );
    });
  },
};

export const hosts: readonly Host[] = [expressHost, fastifyHost, honoHost, webHost, nextHost, nodeHost];

async function serveWeb(request: Request, onForm: (text: string) => void): Promise<Response> {
  const page = pages[pathOfUrl(request.url)];
  if (page !== undefined) return toResponse(page);
  const text = await request.text();
  onForm(text);
  return new Response(`form: ${text}`);
}

function toResponse(page: Page): Response {
  return new Response(page.body === '' ? null : page.body, { status: page.status, headers: headersOf(page) });
}

type Fetch = (request: Request, peer: string | undefined) => Promise<Response>;

function listenWeb(fetch: Fetch): Promise<OpenHost> {
  return listen(
    createAdaptorServer({
      fetch: (request, env) => fetch(request, env.incoming.socket.remoteAddress),
    }) as Server,
  );
}

export async function listen(server: Server): Promise<OpenHost> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
