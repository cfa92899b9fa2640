import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';

/** A request that a client sent. */
export type Sent = {
  path: string;
  apiKey: string | undefined;
  key: string | undefined;
  /** The value of `Trackside-Attempt`. */
  attempt: string | undefined;
  /** The value of `Trackside-Sequence`. */
  sequence: string | undefined;
  /** The value of `Trackside-Release`. */
  release: string | undefined;
  body: unknown;
  /** What a real server has said to it. */
  answer?: { Code: number; Message: string };
};

type Answer = (response: ServerResponse, sent: Sent, text: Buffer) => void;

/** Listens in place of Trackside, keeps what arrives, and lets `answer` decide what to answer. */
export async function standIn(t: TestContext, answer: Answer): Promise<{ origin: string; sent: Sent[] }> {
  const sent: Sent[] = [];
  const server = createServer(async (incoming, response) => {
    const text = await readAll(incoming);
    const header = (name: string) => [incoming.headers[name]].flat()[0];
    const one: Sent = {
      path: incoming.url ?? '',
      apiKey: header('authorization'),
      key: header('idempotency-key'),
      attempt: header('trackside-attempt'),
      sequence: header('trackside-sequence'),
      release: header('trackside-release'),
      body: JSON.parse(text.toString()),
    };
    sent.push(one);
    answer(response, one, text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}

export function say(response: ServerResponse, code: number, message: string, headers = {}): void {
  response.writeHead(code, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify({ Code: code, Message: message }));
}

/** Returns an answer function that asks the real server, and passes its answer on. */
export function askServer(origin: string): Answer {
  return (response, sent, text) => {
    const { path, apiKey, key } = sent;
    const headers = { Authorization: apiKey, 'Idempotency-Key': key, 'Content-Length': text.length };
    const outgoing = forward(
      `${origin}${path}`,
      { method: 'POST', headers: headers as never },
      async (answer) => {
        const said = await readAll(answer);
        sent.answer = JSON.parse(said.toString());
        const { connection: _, ...answered } = answer.headers;
        response.writeHead(answer.statusCode ?? 500, answered);
        response.end(said);
      },
    );
    outgoing.on('error', () => response.destroy());
    outgoing.end(text);
  };
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece);
  return Buffer.concat(pieces);
}
