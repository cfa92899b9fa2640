import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PageFile } from './page-files.ts';

type Headers = Record<string, string>;

/** Paths that the application handles itself. All of them get its single page. */
const pages = ['/', '/setup', '/sign-in', '/websites', '/websites/*', '/account', '/users', '/audit'];

const contentPolicy = (framedBy: "'none'" | '*') =>
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
    `frame-ancestors ${framedBy}`,
  ].join('; ');

const anyPage = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};
const neverFramed = { 'Content-Security-Policy': contentPolicy("'none'"), 'X-Frame-Options': 'DENY' };
/** The URL of a public page is a secret that must not leak to other sites or search engines. */
const secretAddress = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' };

const ownHeaders: Headers = { ...anyPage, ...neverFramed, 'Referrer-Policy': 'same-origin' };
const shareHeaders: Headers = { ...anyPage, ...neverFramed, ...secretAddress };
/** For the only page that other sites may embed. */
const embedHeaders: Headers = {
  ...anyPage,
  ...secretAddress,
  'Content-Security-Policy': contentPolicy('*'),
  'Cross-Origin-Resource-Policy': 'cross-origin',
};

const notBuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Trackside</title>
<p>The web application has not been built. Run <code>npm run build</code>, then restart the server.
Records are still accepted.</p>`;

/**
 * Returns the routes of the web application: its page at each of its paths, and its files. `files` is
 * undefined if the application has not been built.
 */
export function pageRoutes(files: ReadonlyMap<string, PageFile> | undefined) {
  const others = [...(files ?? [])].filter(([path]) => !path.endsWith('.html'));
  // A route for each of the hundreds of files would take a quarter of a server's start.
  const filePaths = new Set(
    others.map(([path, { isImmutable }]) => (isImmutable ? path.replace(/^(\/[^/]+\/).+/, '$1*') : path)),
  );
  return [
    ...pages.map((path) => route(path, (request, reply) => sendPage(files, request, reply))),
    route('/reference', (request, reply) => sendPage(files, request, reply, ownHeaders, '/reference.html')),
    route('/share/:token', (request, reply) => sendPage(files, request, reply, shareHeaders)),
    route('/share/:token/embed', (request, reply) => sendPage(files, request, reply, embedHeaders)),
    ...[...filePaths].map((path) => fileRoute(path, files!)),
  ];
}

/** Returns the route of one file, or of all files below a path that ends with `*`. */
function fileRoute(path: string, files: ReadonlyMap<string, PageFile>) {
  const sendFile = (request: FastifyRequest, reply: FastifyReply) => {
    const { '*': rest = '' } = request.params as { '*'?: string };
    const file = files.get(path.replace('*', () => rest));
    return file === undefined ? reply.callNotFound() : send(file, request, reply, ownHeaders);
  };
  return { ...route(path, sendFile), hasPath: (asked: string) => files.has(asked) };
}

function route(path: string, answer: (request: FastifyRequest, reply: FastifyReply) => unknown) {
  return {
    method: 'GET' as const,
    path,
    register: (app: FastifyInstance) => void app.get(path, (request, reply) => answer(request, reply)),
  };
}

/** Sends the page. It is also sent for unknown paths, because the application has its own page for them. */
export function sendPage(
  files: ReadonlyMap<string, PageFile> | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  headers: Headers = ownHeaders,
  name: '/index.html' | '/reference.html' = '/index.html',
) {
  const page = files?.get(name);
  if (page !== undefined) return send(page, request, reply, headers);
  return reply.code(503).headers(headers).type('text/html; charset=utf-8').send(notBuilt);
}

function send(file: PageFile, { headers }: FastifyRequest, reply: FastifyReply, safe: Headers) {
  reply.headers(safe);
  const etag = file.etag();
  reply.header('ETag', etag);
  reply.header('Cache-Control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  reply.header('Vary', 'Accept-Encoding');
  if (headers['if-none-match'] === etag) return reply.code(304).send();
  reply.type(file.type);
  const accepted = String(headers['accept-encoding'] ?? '');
  if (file.brotli !== undefined && /\bbr\b/.test(accepted))
    return reply.header('Content-Encoding', 'br').send(file.brotli());
  if (file.gzip !== undefined && /\bgzip\b/.test(accepted))
    return reply.header('Content-Encoding', 'gzip').send(file.gzip());
  return reply.send(file.body);
}
