import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerText, safeHeaders } from './answer.ts';
import { endAndLinger } from './end-and-linger.ts';

/** Names under which Node keeps the response that a socket is busy with, and the request that it reads. */
type HttpSocket = Socket & {
  _httpMessage?: ServerResponse | null;
  parser?: { incoming?: IncomingMessage | null } | null;
};

/** Whether a socket that Node's server has is in the middle of a request. */
export const isBusy = (socket: HttpSocket) => (socket._httpMessage ?? null) !== null;

/**
 * Gives a request that no handler can answer its answer, as the last one of the connection: behind those that
 * are still owed, and never beside one that the same request has had already.
 */
export function closeWithAnswer(socket: HttpSocket, head: string, code: number, message: string): void {
  // Ended: the last answer is on its way, and this is only more of what it was about.
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
  // A request at fault in its body has a response already, which waits for the rest in vain.
  const reading = socket.parser?.incoming;
  const isAnswered = owed ? owed.headersSent : reading?.complete === false && reading.method !== 'CONNECT';
  const text = answerText(code, message);
  const fields = [
    ...['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`],
    ...[safeHeaders.join(': '), 'Connection: close'],
  ];
  endAndLinger(socket, isAnswered ? '' : `${[head, ...fields].join('\r\n')}\r\n\r\n${text}`);
}
