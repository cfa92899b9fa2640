import type { IncomingMessage, ServerResponse } from 'node:http';
import { maxBodyBytes } from '@trackside/contract/tracking/body-sizes.ts';

const maxDrainMs = 2000;
const maxDrainBytes = 16 * 1024 * 1024;

/**
 * Answers a request whose body may still be on its way. A body of ordinary size is read to its end and the
 * connection is kept. A larger body is discarded for a moment before the connection is closed: a socket that
 * is closed with unread bytes is reset, and the client would see that instead of the answer.
 */
export function endAfterDraining(
  request: IncomingMessage,
  response: ServerResponse,
  code: number,
  headers: readonly string[],
  text: string,
): void {
  const isAwaitingContinue = request.headers.expect !== undefined && !request.readableFlowing;
  if (!isAwaitingContinue && (request.complete || (isShort(request) && response.shouldKeepAlive))) {
    response.writeHead(code, [...headers]);
    response.end(text);
    request.resume();
    return;
  }
  response.shouldKeepAlive = false;
  response.writeHead(code, [...headers]);
  if (isAwaitingContinue) {
    response.end(text);
    return;
  }
  response.write(text);
  let drained = 0;
  const end = () => {
    clearTimeout(timer);
    request.off('data', onData);
    response.end();
  };
  const onData = (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > maxDrainBytes) end();
  };
  const timer = setTimeout(end, maxDrainMs);
  request.on('data', onData);
  request.once('end', end);
  request.once('close', end);
}

/** Returns whether there is no body, or one whose announced length we read anyway. */
function isShort(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding === undefined && (length === undefined || Number(length) <= maxBodyBytes);
}
