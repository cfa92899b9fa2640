/**
 * Correct use of the handlers compiles with the frameworks' own types, and wrong use does not. Never run; see
 * types.ts.
 */

import { createServer } from 'node:http';
import express from 'express';
import Fastify, { type FastifyRequest } from 'fastify';
import { Hono } from 'hono';
import * as forExpress from '../src/adapters/express/express.ts';
import * as forFastify from '../src/adapters/fastify/fastify.ts';
import * as forHono from '../src/adapters/hono/hono.ts';
import { createRoute } from '../src/adapters/next/next.ts';
import * as forNode from '../src/adapters/node/node.ts';
import * as forWeb from '../src/adapters/web/web.ts';
import { Trackside } from '../src/client/trackside.ts';
import { cloudflare, fromHeaders, vercel } from '../src/location/location.ts';

declare const trackside: Trackside;

export function useExpress(): void {
  const app = express();
  app.use(forExpress.trackside({ trackside }));
  app.use('/shop', forExpress.trackside({ trackside, clientId: (request) => request.headers.cookie }));
  app.use(forExpress.trackside({ trackside, clientId: (request: express.Request) => request.ip }));
  app.use(forExpress.countPages({ trackside, ignore: (url) => url.pathname.startsWith('/admin') }));
  const router = express.Router();
  router.use(forExpress.trackside({ trackside, path: '/side' }));
  // @ts-expect-error the client is missing
  app.use(forExpress.trackside({}));
  // @ts-expect-error an API key alone is no client
  app.use(forExpress.trackside({ trackside: 'key' }));
  // @ts-expect-error an identifier is a string
  app.use(forExpress.trackside({ trackside, clientId: () => 17 }));
  // @ts-expect-error trust is hops, networks or a header
  app.use(forExpress.trackside({ trackside, proxies: true }));
  // @ts-expect-error the option is named respectDoNotTrack
  app.use(forExpress.trackside({ trackside, respectDNT: true }));
}

export async function useFastify(): Promise<void> {
  const app = Fastify();
  await app.register(forFastify.trackside, { trackside });
  await app.register(forFastify.trackside, { trackside, prefix: '/shop', proxies: { hops: 1 } });
  await app.register(forFastify.trackside, {
    trackside,
    clientId: (request: FastifyRequest) => request.headers['x-account']?.toString(),
  });
  app.register(forFastify.countPages, { trackside });
  // @ts-expect-error the client is missing
  app.register(forFastify.trackside, {});
  // @ts-expect-error a limit has a number
  app.register(forFastify.trackside, { trackside, rateLimit: true });
}

export function useHono(): void {
  const app = new Hono<{ Variables: { account: string } }>();
  app.use(forHono.trackside({ trackside, location: cloudflare }));
  app.use(forHono.trackside({ trackside, clientId: (c) => c.req.raw.headers.get('x-account') }));
  app.use(forHono.countPages({ trackside }));
  app.use('/shop/*', forHono.trackside({ trackside, path: '/shop/side' }));
  // @ts-expect-error the client is missing
  app.use(forHono.trackside({}));
  // @ts-expect-error a location source is a function
  app.use(forHono.trackside({ trackside, location: 'cloudflare' }));
}

/** As a route file of Next.js exports them. */
export const { GET, POST } = createRoute({
  trackside: new Trackside({ url: 'https://trackside.shop.example', apiKey: 'key' }),
  proxies: { header: 'x-real-ip' },
  location: [vercel, fromHeaders({ CountryCode: 'x-country' })],
  after: (work) => void work,
  clientId: async (request: Request) => request.headers.get('x-account'),
});

export function useNode(): void {
  const answer = forNode.createListener({ trackside });
  const count = forNode.countPages({ trackside });
  createServer((request, response) => {
    count(request, response);
    if (!answer(request, response)) response.end();
  });
  // @ts-expect-error headers are named as Location names them
  fromHeaders({ country: 'x-country' });
}

/** Uses the handlers as Bun, Deno and edge runtimes call them. */
export async function useFetch(
  request: Request,
  context: { waitUntil(work: Promise<unknown>): void },
): Promise<Response> {
  const answer = forWeb.createWebHandler({ trackside });
  const count = forWeb.countPages({ trackside });
  const waitUntil = (work: Promise<unknown>) => context.waitUntil(work);
  const page = new Response('<h1>Shop</h1>', { headers: { 'content-type': 'text/html' } });
  // @ts-expect-error it may be a request for something else
  const _response: Response = await answer(request);
  return (await answer(request, { peer: '203.0.113.7', waitUntil })) ?? count(request, page, { waitUntil });
}
