import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { scriptText } from '../src/script/script-text.ts';

/** What the script sent, with its request. */
export type SentRecord = {
  path: string;
  contentType: string | undefined;
  body: {
    ScreenWidth: number;
    ScreenHeight: number;
    Language: string;
    Referrer: string;
    Absolute: string;
    Name?: string;
    Parameters?: unknown;
  };
};

export type SitePage = {
  html?: string | undefined;
  /** Script that runs before anything else on the page. */
  before?: string | undefined;
  headers?: Record<string, string>;
};

export type Site = {
  origin: string;
  sent: SentRecord[];
  /** Resolves when there are this many records. */
  whenSent(count: number): Promise<void>;
  /** Returns one line for each record: what it is, its page, and its referrer. */
  lines(): string[];
  close(): Promise<void>;
};

const tag = '<script defer src="/side"></script>';

/** Only a failing test waits this long. */
const patienceMs = 300_000;

/**
 * Starts a website with the same page under every path, the script under `/side`, and under `/asks-first` the
 * script that respects Do Not Track.
 */
export async function startSite({ html = tag, before = '', headers }: SitePage = {}): Promise<Site> {
  const sent: SentRecord[] = [];
  const waiting = new Set<() => void>();
  const opening = before === '' ? '' : `<script>${before}</script>`;
  const texts = new Map([
    ['/side', scriptText({ respectDoNotTrack: false })],
    ['/asks-first', scriptText({ respectDoNotTrack: true })],
  ]);

  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    if (request.method === 'POST') {
      const chunks = await request.toArray();
      const body = JSON.parse(Buffer.concat(chunks).toString()) as SentRecord['body'];
      sent.push({ path, contentType: request.headers['content-type'], body });
      // Answers as the endpoint does for pages that may send to it.
      response.setHeader('access-control-allow-origin', request.headers.origin ?? '*');
      response.setHeader('access-control-allow-credentials', 'true');
      response.writeHead(204).end();
      for (const look of waiting) look();
      return;
    }
    const text = texts.get(path);
    if (text !== undefined) response.writeHead(200, { 'content-type': 'text/javascript' }).end(text);
    else if (path === '/favicon.ico') response.writeHead(204).end();
    else
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
        .end(`<!doctype html>${opening}<title>Shop</title>${html}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const short = (address: string) => address.replace(origin, '');

  return {
    origin,
    sent,
    whenSent: (count) =>
      new Promise((resolve, reject) => {
        const giveUp = setTimeout(() => {
          waiting.delete(look);
          reject(new Error(`expected ${count} records within ${patienceMs} ms, ${sent.length} came`));
        }, patienceMs);
        const look = () => {
          if (sent.length < count) return;
          clearTimeout(giveUp);
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    lines: () =>
      sent.map(({ body }) => {
        const what = body.Name === undefined ? 'view' : `${body.Name} ${JSON.stringify(body.Parameters)}`;
        return `${what} on ${short(body.Absolute)} from ${short(body.Referrer) || 'nowhere'}`;
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
