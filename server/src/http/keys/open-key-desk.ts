import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClaimAnswer, IdempotencyIndex } from '../../intake/idempotency/idempotency-index.ts';
import type { StoreWaits } from '../../intake/store-waits.ts';
import type { Log } from '../../log.ts';
import { OperatorError } from '../../operator-error.ts';
import { isProven, maxQuestionBytes, proofHeader, prove, type Question, toClaims } from './key-messages.ts';

const limits = { headersTimeout: 5_000, requestTimeout: 5_000, keepAliveTimeout: 60_000 };
const maxConnections = 256;

/** Answers other nodes that ask whether this one has taken a record. It listens at a port of its own. */
export async function openKeyDesk(parts: {
  name: string;
  secret: string;
  host: string;
  port: number;
  idempotencyIndex: Pick<IdempotencyIndex, 'claim'>;
  /** If answers wait for the store, "taken" means that the store has the record. */
  storeWaits: Pick<StoreWaits, 'wait'> | undefined;
  log: Log;
}) {
  const { name, secret, host, port, idempotencyIndex, storeWaits, log } = parts;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request);
    const proof = request.headers[proofHeader];
    if (text === undefined || !isProven(secret, 'question', text, proof)) {
      response.writeHead(403).end();
      return;
    }
    const question = JSON.parse(text) as Question;
    // Another node had this address before.
    if (question.to !== name) {
      response.writeHead(421).end();
      return;
    }
    const isSenior = question.from < name;
    const said = await Promise.all(
      toClaims(question).map(async (claim) => confirm(await idempotencyIndex.claim(claim, isSenior))),
    );
    const body = JSON.stringify({ said });
    response.writeHead(200, { [proofHeader]: prove(secret, `answer ${question.nonce}`, body) }).end(body);
  }

  function confirm(said: ClaimAnswer): ClaimAnswer | Promise<ClaimAnswer> {
    if (said !== 'taken' || storeWaits === undefined) return said;
    return new Promise((resolve) => storeWaits.wait((refusal) => resolve(refusal ? 'busy' : 'taken')));
  }

  const server = createServer(limits, (request, response) => {
    answer(request, response).catch((error: unknown) => {
      log.warn({ err: error }, 'a question of another node cannot be answered');
      response.destroy();
    });
  });
  server.maxConnections = maxConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new OperatorError(
          `TRACKSIDE_NODE_ADDRESS: cannot listen on ${host}:${port} for other nodes (${error.code})`,
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readText(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxQuestionBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
