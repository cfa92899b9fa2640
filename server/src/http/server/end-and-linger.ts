import type { Socket } from 'node:net';

/** The time that the client has to read the answer and to close. */
const lingerMs = 1000;

/**
 * Closes our side of a connection after the last bytes, and discards what arrives for a moment. A socket that
 * is closed with unread bytes is reset, and the client would see that instead of the answer.
 */
export function endAndLinger(socket: Socket, last = ''): void {
  socket.end(last);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}
