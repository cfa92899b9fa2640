import type { IncomingMessage } from 'node:http';
import { gunzip } from 'node:zlib';
import { malformedAs, type Refusal } from '../../intake/refusal.ts';
import type { TrackingHeaders } from '../tracking/tracking-headers.ts';
import { HeldBytes } from './held-bytes.ts';

const tooLarge = (maxBytes: number) => malformedAs('Body', `at most ${maxBytes} bytes`, 'more');
const empty = Buffer.alloc(0);

/**
 * Refuses a request by its headers alone: a body that is announced as too large, or that is in an unsupported
 * encoding.
 */
export function refuseByHeaders(headers: TrackingHeaders, maxBytes: number): Refusal | undefined {
  const { contentLength: length, contentEncoding: encoding } = headers;
  if (length !== undefined && Number(length) > maxBytes) return tooLarge(maxBytes);
  if (encoding === undefined || isPlain(encoding) || isGzip(encoding)) return undefined;
  return malformedAs('Body', 'no Content-Encoding or gzip', 'another encoding');
}

/**
 * Collects the body, decompressed and limited in size. Calls either `done` or `onGone`, once: the client may
 * leave before the end.
 */
export function readBody(
  request: IncomingMessage,
  { contentEncoding: encoding, contentLength: length }: TrackingHeaders,
  maxBytes: number,
  done: (body: Buffer | Refusal) => void,
  onGone: () => void,
): void {
  let first: Buffer | undefined;
  let all: HeldBytes | undefined;
  let bytes = 0;
  const onData = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      request.off('data', onData);
      request.off('end', onEnd);
      request.off('close', onGone);
      done(tooLarge(maxBytes));
    } else if (first === undefined) first = chunk;
    else {
      all ??= new HeldBytes(first, Number(length ?? maxBytes));
      all.add(chunk);
    }
  };
  const onEnd = () => {
    request.off('close', onGone);
    const body = all?.bytes() ?? first ?? empty;
    if (encoding === undefined || isPlain(encoding)) done(body);
    else inflate(body, maxBytes, done);
  };
  request.on('data', onData);
  request.on('end', onEnd);
  request.once('close', onGone);
}

function inflate(body: Buffer, maxBytes: number, done: (body: Buffer | Refusal) => void): void {
  gunzip(body, { maxOutputLength: maxBytes }, (error, inflated) => {
    if (error === null) done(inflated);
    else if ('code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') done(tooLarge(maxBytes));
    else done(malformedAs('Body', 'gzip as Content-Encoding says', 'something else'));
  });
}

const isPlain = (encoding: string) => encoding === '' || encoding.toLowerCase() === 'identity';
const isGzip = (encoding: string) => /^(x-)?gzip$/i.test(encoding);
