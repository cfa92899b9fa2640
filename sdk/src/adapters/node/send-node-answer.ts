import type { ServerResponse } from 'node:http';
import type { Http2ServerResponse } from 'node:http2';
import type { HandlerAnswer } from '../../request/incoming-request.ts';
import type { NodeRequest, NodeResponse } from './node-request.ts';

const maxDrainMs = 1000;
const maxDrainBytes = 1024 * 1024;
/** Up to this, Node may throw away what nobody has read, and the connection is kept. */
const maxKeptBytes = 32 * 1024;

/**
 * Answers, also when the body is still on its way. What is left of it is thrown away for a moment and then
 * the connection closed: closed at once, it would be reset, and the client might never see the answer.
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

/** Whether the rest of the body is not worth waiting for: it is too long, or reading it was given up. */
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
  // Both have it, with overloads that TypeScript cannot bring together.
  (res as ServerResponse).writeHead(status, headers);
}
