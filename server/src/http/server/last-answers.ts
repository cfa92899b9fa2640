import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * While the server stops: makes the answer to the newest request of a connection its last. Says false for a
 * request that cannot be answered any more, because our side is closed or an answer has said that it will be.
 */
export function createLastAnswers() {
  const newest = new WeakMap<Socket, ServerResponse>();
  return (socket: Socket, response: ServerResponse): boolean => {
    const before = newest.get(socket);
    if (!socket.writable || before?.headersSent) return false;
    // Another request has come behind it: that one's answer is the last.
    if (before !== undefined) before.shouldKeepAlive = true;
    newest.set(socket, response);
    response.shouldKeepAlive = false;
    return true;
  };
}
