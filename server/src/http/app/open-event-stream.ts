import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** An answer that stays open: server-sent events, as a browser's EventSource reads them. */
export type EventStream = {
  /** Sends one line of `data`. Does nothing once the stream is closed. */
  send(event: string, data: string): void;
  /** Sends an empty comment, so that proxies do not take the connection for dead. */
  beat(): void;
  /** Calls the listener once, whichever side closes the stream, or at once if it is already closed. */
  onClose(listener: () => void): void;
  close(): void;
};

export const eventStreamType = 'text/event-stream';

const reconnectMs = 3000;
/** The most bytes that may wait for a client. A client with more than that has stopped reading. */
const maxUnreadBytes = 256 * 1024;
const lingerMs = 200;

/** Takes the answer over from Fastify and sends its headers. */
export function openEventStream({ raw: { socket } }: FastifyRequest, reply: FastifyReply): EventStream {
  reply.hijack();
  const { raw: response } = reply;
  const closed = Promise.withResolvers<void>();
  let isClosed = response.destroyed;

  const unreadBytes = () => response.writableLength + socket.writableLength;

  function finish(): void {
    isClosed = true;
    closed.resolve();
  }
  function close(): void {
    if (isClosed) return;
    finish();
    response.end();
    // A client that does not read would not read the end either, and must not hold up a server that stops.
    setTimeout(() => response.destroy(), lingerMs).unref();
  }
  function write(text: string): void {
    if (isClosed) return;
    response.write(text);
    if (unreadBytes() <= maxUnreadBytes) return;
    finish();
    response.destroy();
  }

  if (isClosed) closed.resolve();
  response.once('close', finish);
  // A client that leaves is not an error. The event "close" follows.
  response.on('error', () => {});
  // This server lets clients close their side early. For a stream, that means the tab was closed.
  socket.once('end', close);
  response.once('close', () => socket.off('end', close));
  if (!isClosed) {
    reply.header('Content-Type', `${eventStreamType}; charset=utf-8`);
    // Otherwise nginx buffers events until it has some kilobytes of them.
    reply.header('X-Accel-Buffering', 'no');
    response.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
    write(`retry: ${reconnectMs}\n\n`);
  }
  return {
    send: (event, data) => write(`event: ${event}\ndata: ${data}\n\n`),
    beat: () => write(':\n\n'),
    onClose: (listener) => void closed.promise.then(listener),
    close,
  };
}
