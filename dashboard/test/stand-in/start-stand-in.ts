import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname } from 'node:path';
import { standInApi } from './stand-in-api.ts';
import type { StandInData } from './stand-in-data.ts';

const types: Record<string, string> = {
  ...{ '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' },
  ...{ '.svg': 'image/svg+xml', '.woff2': 'font/woff2' },
};

/** As strict as a node's, and stricter: the pages must live with it. */
const policy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "img-src 'self'", "font-src 'self'", "connect-src 'self'"],
  ...[
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ],
].join('; ');

const openToAll = ['GET /api/setup', 'POST /api/setup', 'POST /api/session'];

/** Serves the built application with an API that is made up. The pages are tested with it; the API has its own tests. */
export async function startStandIn(folder: string, data: StandInData) {
  const api = standInApi(data);

  async function answerApi(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const ids = [...url.pathname.matchAll(/\/(\d+)(?=\/|$)/g)].map(([, id]) => Number(id));
    const name = `${request.method} ${url.pathname.replace(/\/\d+(?=\/|$)/g, '/:id')}`;
    const text = (await request.toArray()).join('');
    const handler = api[name];
    const isSignedOut = data.session === undefined && !openToAll.includes(name);
    const { status, body, headers } = isSignedOut
      ? { status: 401, body: { Code: 401, Message: 'Unauthorized: sign in' }, headers: {} }
      : (handler?.(ids, text === '' ? {} : JSON.parse(text), url.searchParams) ?? {
          status: 404,
          body: { Code: 404, Message: 'Not found' },
        });
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  }

  function answerFile(response: ServerResponse, path: string): void {
    const name = extname(path) === '' ? '/index.html' : path;
    try {
      const content = readFileSync(folder + name);
      const type = types[extname(name)] ?? 'application/json';
      response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://stand-in');
    if (url.pathname.startsWith('/api/')) void answerApi(request, response, url);
    else answerFile(response, url.pathname);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address() as { port: number };
  return {
    origin: `http://127.0.0.1:${address.port}`,
    data,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
