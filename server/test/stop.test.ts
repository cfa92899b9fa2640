import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { requestText } from './support/raw-connection.ts';
import { pageView } from './support/records.ts';
import { startTrackside } from './support/start-trackside.ts';
import { waitFor } from './support/wait-for.ts';

const stops = 6;
const clientsOfAKind = 12;

type Progress = { answered: Set<string>; unanswered: string[] };
type Client = {
  /** The status of the answer; undefined when nothing was sent, because the server no longer takes connections. */
  send(path: string): Promise<number | undefined>;
  close(): void;
};

const bodyOf = (path: string) =>
  JSON.stringify(pageView({ Page: { Absolute: `https://example.com${path}` } }));

/** Keeps a connection for as long as the server does, and says so when it is closed before an answer. */
function createSocketClient(origin: string, apiKey: string, target: string): Client {
  const { hostname, port } = new URL(origin);
  let socket: ReturnType<typeof connect> | undefined;
  let settle: ((error?: Error) => void) | undefined;
  let received = '';

  async function open(): Promise<boolean> {
    const opened = connect(Number(port), hostname).setNoDelay(true).setEncoding('utf8');
    const end = (error?: Error) => {
      if (socket === opened) socket = undefined;
      settle?.(error ?? new Error('closed before the answer'));
    };
    try {
      await once(opened, 'connect');
    } catch (error) {
      if ((error as { code?: string }).code === 'ECONNREFUSED') return false;
      throw error;
    }
    opened.on('data', (text: string) => {
      received += text;
      if (/\r\n\r\n\{.*\}$/s.test(received)) settle?.();
    });
    opened.on('error', end).on('end', () => end());
    socket = opened;
    return true;
  }

  return {
    async send(path) {
      if (socket === undefined && !(await open())) return undefined;
      received = '';
      const answered = new Promise<void>((resolve, reject) => {
        settle = (error) => (error === undefined ? resolve() : reject(error));
      });
      socket!.write(requestText('POST', target, { Authorization: apiKey }, bodyOf(path)));
      await answered;
      settle = undefined;
      if (/^connection: close$/im.test(received)) {
        socket?.end();
        socket = undefined;
      }
      return Number(received.slice(9, 12));
    },
    close: () => socket?.destroy(),
  };
}

function createAgentClient(origin: string, apiKey: string, headers: Record<string, string>): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    async send(path) {
      const body = bodyOf(path);
      const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
      const request = httpRequest(`${origin}/api/page-view`, {
        method: 'POST',
        agent,
        headers: { Authorization: apiKey, 'Content-Length': Buffer.byteLength(body), ...headers },
      });
      request.on('response', (response) => {
        response
          .resume()
          .once('end', () => resolve(response.statusCode))
          .once('error', reject);
      });
      request.on('error', (error: Error & { code?: string }) =>
        error.code === 'ECONNREFUSED' ? resolve(undefined) : reject(error),
      );
      request.end(body);
      return promise;
    },
    close: () => agent.destroy(),
  };
}

/** Sends one record after the other, some with a pause, until there is no server any more. */
async function sendUntilRefused(client: Client, name: string, progress: Progress): Promise<void> {
  for (let record = 0; ; record += 1) {
    if (name.includes('pausing')) await delay(100 + (record % 5) * 20);
    const path = `/${name}-${record}`;
    try {
      const status = await client.send(path);
      if (status === undefined) break;
      if (status === 200) progress.answered.add(path);
      else assert.equal(status, 503, path);
    } catch (error) {
      progress.unanswered.push(`${path}: ${error}`);
    }
  }
  client.close();
}

test(`everything that was sent is answered through ${stops} stops, and is stored if it was answered 200`, async (t) => {
  const trackside = await startTrackside(t);
  const { id, apiKey } = await trackside.addWebsite('example.com');
  const progress: Progress = { answered: new Set(), unanswered: [] };
  const kinds: Record<string, () => Client> = {
    plain: () => createSocketClient(trackside.origin(), apiKey, '/api/page-view'),
    pausing: () => createSocketClient(trackside.origin(), apiKey, '/api/page-view'),
    query: () => createSocketClient(trackside.origin(), apiKey, '/api/page-view?a'),
    agent: () => createAgentClient(trackside.origin(), apiKey, {}),
    unusual: () => createAgentClient(trackside.origin(), apiKey, { TE: 'trailers' }),
  };
  for (let stop = 0; stop < stops; stop += 1) {
    if (stop > 0) await trackside.start();
    const probe = kinds.plain!();
    await waitFor('the key to be known', async () => (await probe.send(`/probe-${stop}`)) === 200);
    probe.close();
    progress.answered.add(`/probe-${stop}`);
    const before = progress.answered.size;
    const sending = Object.entries(kinds).flatMap(([kind, create]) =>
      Array.from({ length: clientsOfAKind }, (_, index) =>
        sendUntilRefused(create(), `${stop}-${kind}-${index}`, progress),
      ),
    );
    await waitFor('records to flow', () => progress.answered.size > before + 500 + 37 * stop);
    assert.equal(await trackside.end('SIGTERM'), 0);
    await Promise.all(sending);
  }
  assert.deepEqual(progress.unanswered, []);

  await trackside.start();
  const stored = async () => {
    const rows = await trackside.store.query<{ path: string }>({
      query: `select distinct path from records where website_id = ${id}`,
    });
    return new Set(rows.map(({ path }) => path));
  };
  const missing = async () => progress.answered.difference(await stored()).size;
  await waitFor('every answered record to be in the store', async () => {
    return (await missing().catch(() => 1)) === 0;
  });
});
