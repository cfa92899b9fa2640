import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** An answer that goes on: server-sent events, as the EventSource of a browser reads them. */
export type EventStream = {
  /** `data` is one line. Does nothing once the stream is closed. */
  send(event: string, data: string): void;
  /** Says nothing, but keeps proxies from taking the connection for dead. */
  beat(): void;
  /** Called once, whoever closes; at once when it is closed already. */
  onClose(listener: () => void): void;
  close(): void;
};

export const eventStreamType = 'text/event-stream';

const reconnectMs = 3000;
/** Events that wait for a client to read them; one that has more does not read any more. */
const maxUnreadBytes = 256 * 1024;
const lingerMs = 200;

/** Takes the answer over from Fastify and sends its head. */
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
    // Who does not read would not read the end either, and must not hold up a server that stops.
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
  // Whoever is gone is gone; the event "close" follows.
  response.on('error', () => {});
  // This server lets clients close their side early. One that has, here, is a tab that was closed.
  socket.once('end', close);
  response.once('close', () => socket.off('end', close));
  if (!isClosed) {
    reply.header('Content-Type', `${eventStreamType}; charset=utf-8`);
    // Otherwise nginx collects events until it has some kilobytes of them.
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
