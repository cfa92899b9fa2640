import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Returns a signal that aborts when the client leaves before the answer is complete. A client that closes its
 * own side counts as gone, because a browser that gives up looks the same. Elsewhere the server still answers
 * such a client, for the sake of records.
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
