import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { TestContext } from 'node:test';

export type SeenRequest = {
  path: string;
  key: string;
  authorization: string;
  body: string;
  headers: IncomingMessage['headers'];
};

/** Answers a request, or does to it what happens to requests in the real world. */
export type Behaviour = (response: ServerResponse, seen: SeenRequest) => void;

/** The records of a batch, as the test server reads them. */
export const recordsOf = ({ body }: SeenRequest): { IdempotencyKey: string; Sequence?: string }[] =>
  JSON.parse(body).Records;

/** Answers a batch with a code for each record, which `codeOf` chooses. */
export const answerEach =
  (
    codeOf: (at: number, key: string) => number,
    headers: Record<string, string> = {},
    more: object = {},
  ): Behaviour =>
  (response, seen) => {
    const results = recordsOf(seen).map(({ IdempotencyKey }, at) => codeOf(at, IdempotencyKey));
    const code = results.every((one) => one === 200) ? 200 : 207;
    response.writeHead(code, { 'Content-Type': 'application/json', ...headers });
    const message = (one: number) => (one === 200 ? 'Success' : 'No');
    const list = results.map((one) => ({ Code: one, Message: message(one), ...more }));
    response.end(JSON.stringify({ Code: code, Message: message(code), Results: list }));
  };

/** Starts a server in place of Trackside. It counts a key once, as the real one does for an hour. */
export async function startTestServer(t: Pick<TestContext, 'after'>) {
  const requests: SeenRequest[] = [];
  const batches: SeenRequest[] = [];
  const counted = new Map<string, string>();
  const sockets = new Set<Socket>();
  let behaviour: Behaviour = answer(200, 'Success');
  /** Undefined on a server that is older than batches. */
  let answerBatch: Behaviour | undefined;
  let connections = 0;
  let underWay = 0;
  let mostUnderWay = 0;

  const server = createServer(async (request, response) => {
    underWay += 1;
    mostUnderWay = Math.max(mostUnderWay, underWay);
    response.on('close', () => {
      underWay -= 1;
    });
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const { headers } = request;
    const seen = {
      path: request.url ?? '',
      key: String(headers['idempotency-key']),
      authorization: String(headers.authorization),
      body: Buffer.concat(chunks).toString(),
      headers,
    };
    if (seen.path === '/api/batch') {
      batches.push(seen);
      if (answerBatch === undefined) answer(404, 'Not found')(response, seen);
      else answerBatch(response, seen);
      return;
    }
    requests.push(seen);
    behaviour(response, seen);
  });
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server, 'close');
  };
  t.after(stop);

  return {
    url: `http://127.0.0.1:${port}`,
    port,
    /** The single requests, and the batches. */
    requests,
    batches,
    /** Takes batches from now on. */
    takeBatches: (next: Behaviour) => {
      answerBatch = next;
    },
    /** Keys and bodies of the records that were counted. */
    counted,
    connections: () => connections,
    mostUnderWay: () => mostUnderWay,
    stop,
    behave: (next: Behaviour) => {
      behaviour = next;
    },
    /** Uses one behavior after the other; the last one stays. */
    behaveInTurn: (...turns: Behaviour[]) => {
      behaviour = (response, seen) => (turns.length > 1 ? turns.shift()! : turns[0]!)(response, seen);
    },
    /** Counts the record, then does the same as another behavior. */
    counting:
      (then: Behaviour): Behaviour =>
      (response, seen) => {
        if (!counted.has(seen.key)) counted.set(seen.key, seen.body);
        then(response, seen);
      },
  };
}

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

export function answer(code: number, message: string, headers: Record<string, string> = {}): Behaviour {
  return (response) => {
    response.writeHead(code, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify({ Code: code, Message: message }));
  };
}

export function answerPage(status: number, headers: Record<string, string> = {}): Behaviour {
  return (response) => {
    response.writeHead(status, { 'Content-Type': 'text/html', ...headers });
    response.end('<html><body>Something in between</body></html>');
  };
}

export const hang: Behaviour = () => {};
export const cut: Behaviour = (response) => response.destroy();
export const cutInAnswer: Behaviour = (response) => {
  response.writeHead(200, { 'Content-Length': '100' });
  response.write('{"Code":200,', () => response.destroy());
};
