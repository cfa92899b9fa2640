import type { IncomingMessage } from 'node:http';
import { EngineError, faults } from './engine-error.ts';

/** Reads an entire request body. If its length was announced, the buffer has exactly that size. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const announced = request.headers['content-length'];
  const announcedBytes = announced === undefined ? undefined : Number(announced);
  if (announcedBytes !== undefined && announcedBytes > maxBytes) throw tooLarge(maxBytes);
  return announcedBytes === undefined
    ? await readChunked(request, maxBytes)
    : await readAnnounced(request, announcedBytes);
}

async function readAnnounced(request: IncomingMessage, bytes: number): Promise<Buffer> {
  const body = Buffer.allocUnsafeSlow(bytes);
  let filled = 0;
  for await (const chunk of request) {
    filled += (chunk as Buffer).copy(body, filled);
  }
  return body;
}

async function readChunked(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks, bytes);
}

function tooLarge(maxBytes: number): EngineError {
  return new EngineError(faults.tooLarge, `expected a body of at most ${maxBytes} bytes, got a longer one.`);
}
