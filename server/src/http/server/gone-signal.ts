import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Aborted when who asked goes before the answer is complete. The server answers a client that has closed its
 * own side, for the sake of records; here the other side is taken at its word, because a browser that gives
 * up looks just the same.
 */
export function goneSignal({ socket }: IncomingMessage, response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const leave = () => gone.abort(new Error('who asked has gone'));
  if (socket.readableEnded) leave();
  socket.once('end', leave);
  response.once('close', () => {
    socket.off('end', leave);
    if (!response.writableFinished) leave();
  });
  return gone.signal;
}
