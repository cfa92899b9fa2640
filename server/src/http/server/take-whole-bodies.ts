import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { HeldBytes } from './held-bytes.ts';

type Done = (error: Error | null, body?: Buffer) => void;

/** Makes bodies of any type arrive as bytes within this scope. Refuses larger ones. */
export function takeWholeBodies(scope: FastifyInstance, maxBytes: number): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', (request, payload, done: Done) => {
    const announced = Number(request.headers['content-length'] ?? maxBytes);
    if (announced > maxBytes) done(tooLarge(maxBytes));
    else collect(payload, announced, maxBytes, done);
  });
}

/**
 * Replaces Fastify's own reader, which keeps a list of the pieces. Anyone may send a body here in pieces of
 * one byte.
 */
function collect(payload: IncomingMessage, announced: number, maxBytes: number, done: Done): void {
  const held = new HeldBytes(Buffer.alloc(0), announced);
  const onData = (chunk: Buffer) => {
    if (held.length + chunk.length <= maxBytes) held.add(chunk);
    else finish(tooLarge(maxBytes));
  };
  const onEnd = () => finish(null, held.bytes());
  const finish: Done = (error, body) => {
    payload.off('data', onData).off('end', onEnd).off('error', finish);
    // Discards the rest of the body, and any error if the client leaves now.
    if (error !== null) payload.on('error', () => {}).resume();
    done(error, body);
  };
  payload.on('data', onData).on('end', onEnd).on('error', finish);
}

const tooLarge = (maxBytes: number) =>
  Object.assign(new Error(`Body: expected at most ${maxBytes} bytes, got more`), { statusCode: 413 });
