import type { Socket } from 'node:net';

/** Time for the other side to read the answer and to close. */
const lingerMs = 1000;

/**
 * Closes our side of a connection after what was written, and reads on for a moment: a socket that is closed
 * with unread bytes is reset, and the client would see that instead of the answer. What comes now is thrown
 * away.
 */
export function endAndLinger(socket: Socket, last = ''): void {
  socket.end(last);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs).unref();
  socket.once('close', () => clearTimeout(timer));
}
