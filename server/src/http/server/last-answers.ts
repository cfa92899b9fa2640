import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Creates a function that is used while the server stops. It makes the answer to a connection's newest
 * request its last one. It returns false for a request that can no longer be answered, because our side is
 * closed or an earlier answer said that it will be.
 */
export function createLastAnswers() {
  const newest = new WeakMap<Socket, ServerResponse>();
  return (socket: Socket, response: ServerResponse): boolean => {
    const before = newest.get(socket);
    if (!socket.writable || before?.headersSent) return false;
    // Another request follows that one, and its answer becomes the last.
    if (before !== undefined) before.shouldKeepAlive = true;
    newest.set(socket, response);
    response.shouldKeepAlive = false;
    return true;
  };
}
