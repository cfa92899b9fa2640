import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Watches over the answers of each connection. A request must not be handled if it comes after an answer that
 * said it is the last one: the client would never hear what became of it, and send it again.
 */
export function createLastAnswers() {
  const newest = new WeakMap<Socket, ServerResponse>();
  return {
    /**
     * Notes a request of a connection. Returns false if it can no longer be answered, because our side is
     * closed or an earlier answer said that it will be.
     */
    admit(socket: Socket, response: ServerResponse): boolean {
      const before = newest.get(socket);
      if (!socket.writable || (before !== undefined && hasSaidSo(before))) return false;
      // Another request follows that one, so it isn't the last.
      if (before !== undefined) before.shouldKeepAlive = true;
      newest.set(socket, response);
      return true;
    },
  };
}

/** Fastify says it by a header, and Node by itself if the connection isn't to be kept. */
const hasSaidSo = (response: ServerResponse): boolean =>
  response.headersSent && (!response.shouldKeepAlive || response.getHeader('connection') === 'close');
