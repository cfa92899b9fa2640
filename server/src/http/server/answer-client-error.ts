import type { Socket } from 'node:net';
import { closeWithAnswer } from './close-with-answer.ts';

const messages: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'Request: expected at most 16384 bytes of headers, got more',
  ERR_HTTP_REQUEST_TIMEOUT:
    'Request: expected the whole request within the time limit, got only a part of it',
  HPE_INVALID_EOF_STATE: 'Request: expected a whole request, got one that ends early',
};

/**
 * Answers a request that the fast lane has read only a part of, because the client closed its side or takes
 * too long.
 */
export function answerUnfinished(socket: Socket, why: 'ended' | 'late'): void {
  const code = why === 'ended' ? 'HPE_INVALID_EOF_STATE' : 'ERR_HTTP_REQUEST_TIMEOUT';
  answerClientError(Object.assign(new Error('unfinished'), { code }), socket);
}

/**
 * Answers a request that Node's parser rejects, with a body of the usual shape and after the answers that the
 * connection still owes.
 */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  const message = messages[error.code ?? ''] ?? 'Request: expected valid HTTP/1.1, got something else';
  closeWithAnswer(socket, 'HTTP/1.1 400 Bad Request', 400, message);
}
