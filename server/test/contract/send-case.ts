import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { ContractCase } from './load-cases.ts';

export type Target = {
  /** As in `http://127.0.0.1:8080`. */
  origin: string;
  keys: {
    /** The key of a website without a limit. */
    valid: string;
    /** The key of a website whose contingent is not used up and that the cases will not use up. */
    limited: string;
    /** The key of a website whose contingent is used up. */
    exhausted: string;
    /** The key of a website that excludes the path `/admin/*`, and whose contingent is used up. */
    excluding: string;
    /** A well-formed key that belongs to no website. */
    unknown: string;
  };
};

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

const timeoutMs = 300_000;
const chunkBytes = 16 * 1024;

/** Sends one case on its own connection and returns the answer. */
export async function sendCase(target: Target, { request: sent }: ContractCase): Promise<Answer> {
  const bytes = sent.body && sent.contentEncoding === 'gzip' ? gzipSync(sent.body) : sent.body;
  const message = request(new URL(sent.path, target.origin), {
    method: sent.method,
    headers: headersOf(target, sent, bytes),
    agent: false,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const answered = answerTo(message);
  if (sent.expectsContinue) {
    message.flushHeaders();
    message.once('continue', () => writeBody(message, bytes, sent.isChunked));
  } else {
    writeBody(message, bytes, sent.isChunked);
  }
  return answered;
}

function answerTo(message: ClientRequest): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  // A server may answer and close before it has read everything. Then its answer counts, and the broken write
  // does not.
  let isAnswered = false;
  message.on('error', (error) => {
    if (!isAnswered) reject(error);
  });
  message.on('response', (response: IncomingMessage) => {
    isAnswered = true;
    buffer(response)
      .then((body) => ({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: body.toString('utf8'),
      }))
      .then(resolve, reject)
      .finally(() => message.destroy());
  });
  return promise;
}

function writeBody(message: ClientRequest, bytes: Buffer | undefined, isChunked: boolean): void {
  if (!bytes || !isChunked) {
    message.end(bytes);
    return;
  }
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    message.write(bytes.subarray(start, start + chunkBytes));
  }
  message.end();
}

function headersOf(target: Target, sent: ContractCase['request'], bytes: Buffer | undefined) {
  const headers = new Map<string, string | string[]>();
  const authorization = authorizationOf(target, sent.authorization);
  if (authorization !== undefined) headers.set('authorization', authorization);
  headers.set('content-type', 'application/json');
  if (sent.contentEncoding) headers.set('content-encoding', sent.contentEncoding);
  if (sent.expectsContinue) headers.set('expect', '100-continue');
  if (bytes && sent.isChunked) headers.set('transfer-encoding', 'chunked');
  else if (bytes) headers.set('content-length', String(bytes.length));
  for (const [name, value] of Object.entries(sent.headers)) {
    if (value === null) headers.delete(name.toLowerCase());
    else headers.set(name.toLowerCase(), value);
  }
  return Object.fromEntries(headers);
}

function authorizationOf(
  { keys }: Target,
  authorization: ContractCase['request']['authorization'],
): string | undefined {
  if (authorization === 'missing') return undefined;
  if (typeof authorization === 'string') return keys[authorization];
  return 'prefix' in authorization ? authorization.prefix + keys.valid : authorization.value;
}
