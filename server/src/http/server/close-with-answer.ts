import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerText, safeHeaders } from './answer.ts';
import { endAndLinger } from './end-and-linger.ts';

/** Names under which Node keeps the response that a socket is busy with, and the request that it reads. */
type HttpSocket = Socket & {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming?: IncomingMessage | null } | null;
};

/** Returns whether a socket of Node's server is in the middle of a request. */
export const isBusy = (socket: HttpSocket) => (socket._httpMessage ?? null) !== null;

/**
 * Answers a request that no handler can answer, and closes the connection. The answer comes after those that
 * are still owed, and is left out if the same request was already answered.
 */
export function closeWithAnswer(socket: HttpSocket, head: string, code: number, message: string): void {
  // The last answer is already on its way, and it was about the same bytes.
  if (socket.writableEnded) return;
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const owed = socket._httpMessage;
  if (owed?.req.complete) {
    socket.pause();
    owed.once('close', () => setImmediate(closeWithAnswer, socket, head, code, message));
    return;
  }
  // A request with a fault in its body already has a response, which would wait for the rest forever.
  const reading = socket.parser?.incoming;
  const isAnswered = owed ? owed.headersSent : reading?.complete === false && reading.method !== 'CONNECT';
  const text = answerText(code, message);
  const fields = [
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    safeHeaders.join(': '),
    'Connection: close',
  ];
  endAndLinger(socket, isAnswered ? '' : `${[head, ...fields].join('\r\n')}\r\n\r\n${text}`);
}
