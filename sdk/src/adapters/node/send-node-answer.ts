import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { HandlerAnswer } from '../../request/incoming-request.ts';
import type { NodeRequest, NodeResponse } from './node-request.ts';

const maxDrainMs = 1000;
const maxDrainBytes = 1024 * 1024;
/** Up to this size, Node may discard an unread body and keep the connection. */
const maxKeptBytes = 32 * 1024;

/**
 * Sends an answer, even while the body is still on its way. The rest of the body is discarded for a moment
 * before the connection is closed. If it were closed at once, it would be reset, and the client might never
 * see the answer.
 */
export function sendNodeAnswer(req: NodeRequest, res: NodeResponse, answer: HandlerAnswer): void {
  if (res.headersSent || res.destroyed) return;
  if (!isCutShort(req) || isHttp2(res)) {
    writeHead(res, answer.status, answer.headers);
    res.end(answer.body);
    return;
  }
  const length = Buffer.byteLength(answer.body);
  const headers: Record<string, string> = { ...answer.headers, Connection: 'close' };
  if (length > 0) headers['Content-Length'] = `${length}`;
  res.writeHead(answer.status, headers);
  if (length > 0) res.write(answer.body);
  else res.flushHeaders();
  drain(req, () => res.end());
}

/**
 * Returns whether the rest of the body is not worth waiting for, because it is too long or reading it was
 * given up.
 */
export function isCutShort(req: NodeRequest): boolean {
  if (req.complete || req.readableEnded) return false;
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers;
  const isShort = encoding === undefined && !(Number(length) > maxKeptBytes);
  return req.readableFlowing !== null || !isShort;
}

function drain(req: NodeRequest, done: () => void): void {
  let bytes = 0;
  const finish = () => {
    clearTimeout(timer);
    req.off('data', onData).off('end', finish).off('close', finish);
    done();
  };
  const onData = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxDrainBytes) finish();
  };
  const timer = setTimeout(finish, maxDrainMs);
  req.on('data', onData).on('end', finish).on('close', finish);
  req.resume();
}

function isHttp2(res: NodeResponse): res is Http2ServerResponse {
  return 'createPushResponse' in res;
}

function writeHead(res: NodeResponse, status: number, headers: Record<string, string>): void {
  // Both have this method, with overloads that TypeScript cannot unify.
  (res as ServerResponse).writeHead(status, headers);
}
