import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { answerText } from './answer.ts';

/** Node keeps the response that a socket is busy with under this name. */
type HttpSocket = Socket & { _httpMessage?: ServerResponse | null };

const messages: Record<string, string> = {
  HPE_HEADER_OVERFLOW: 'Request: expected at most 16384 bytes of headers, got more',
  ERR_HTTP_REQUEST_TIMEOUT:
    'Request: expected the whole request within the time limit, got only a part of it',
  HPE_INVALID_EOF_STATE: 'Request: expected a whole request, got one that ends early',
};

/** Answers what Node's parser rejects in our own body shape, after the answers that the connection still owes. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  const message = messages[error.code ?? ''] ?? 'Request: expected valid HTTP/1.1, got something else';
  answerWhenFree(socket, answerText(400, message));
}

function answerWhenFree(socket: HttpSocket, text: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const busyWith = socket._httpMessage;
  if (busyWith && !busyWith.writableFinished) {
    busyWith.once('close', () => setImmediate(answerWhenFree, socket, text));
    return;
  }
  socket.end(
    'HTTP/1.1 400 Bad Request\r\n' +
      'Content-Type: application/json\r\n' +
      `Content-Length: ${Buffer.byteLength(text)}\r\n` +
      'Connection: close\r\n\r\n' +
      text,
  );
  // Time for the client to read it before what it still sends resets the connection.
  socket.resume();
  setTimeout(() => socket.destroy(), 1000).unref();
}
