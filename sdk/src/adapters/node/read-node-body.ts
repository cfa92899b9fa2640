import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

type Body = Readable & { headers: IncomingHttpHeaders; body?: unknown };

/**
 * Returns the body as text, or undefined if it is too long. If a body parser has already read it, its result
 * is used.
 */
export async function readNodeBody(req: Body, maxBytes: number): Promise<string | undefined> {
  // Older body parsers leave an empty object even if they have read nothing, so the stream decides.
  if (req.readableDidRead && req.body !== undefined) return bounded(toText(req.body), maxBytes);
  if (Number(req.headers['content-length']) > maxBytes) return undefined;
  return readStream(req, maxBytes);
}

export function readStream(stream: Readable, maxBytes: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    if (stream.readableEnded) reject(new Error('the body was already read'));
    if (stream.destroyed) reject(new Error('the client has disconnected'));
    const chunks: Buffer[] = [];
    let bytes = 0;
    const stop = () => stream.off('data', onData).off('end', onEnd).off('close', onClose);
    const onData = (chunk: Buffer | string) => {
      const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      bytes += piece.length;
      if (bytes <= maxBytes) {
        chunks.push(piece);
        return;
      }
      stop();
      stream.pause();
      resolve(undefined);
    };
    const onEnd = () => {
      stop();
      resolve(new TextDecoder().decode(Buffer.concat(chunks)));
    };
    const onClose = () => {
      stop();
      reject(new Error('the client disconnected'));
    };
    // This listener stays, because without it the stream would end the process if the client leaves later.
    stream.on('error', onClose);
    stream.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

function toText(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array) return new TextDecoder().decode(body);
  return JSON.stringify(body) ?? '';
}

function bounded(text: string, maxBytes: number): string | undefined {
  return Buffer.byteLength(text) > maxBytes ? undefined : text;
}
