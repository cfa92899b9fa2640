import type { Server, Socket } from 'node:net';
import type { Log } from '../../../log.ts';
import { isBusy } from '../../server/close-with-answer.ts';
import { endAndLinger } from '../../server/end-and-linger.ts';
import type { Tracking } from '../create-tracking.ts';
import { FastConnection } from './fast-connection.ts';
import { createEnding } from './plain-http.ts';

export type FastLane = ReturnType<typeof openFastLane>;

/**
 * While the server stops, a connection that is silent for this long is closed. One in use is closed with its
 * next answer, which says so: if it were closed between two requests, the second could already be on its way.
 */
const stopping = { idleMs: 500, tickMs: 50 };

/**
 * Takes every new connection before Node's HTTP parser does, answers the plain tracking requests on it, and
 * hands the connection over at the first request that is anything else. Node spends more time on the objects
 * around a request than we do on the record in it.
 */
export function openFastLane(parts: {
  server: Server;
  tracking: Tracking;
  /** Takes over connections, and has to resume them. Without it, the server itself does. */
  handOver?: ((socket: Socket) => void) | undefined;
  keepAliveMs: number;
  requestMs: number;
  tickMs: number;
  log: Log;
}) {
  const { server, tracking, keepAliveMs, requestMs, tickMs, log } = parts;
  const connections = new Set<FastConnection>();
  /** The connections that Node has, with their bytes at the last check and how long each has been silent. */
  const handedOver = new Map<Socket, { bytes: number; silentMs: number }>();
  /** The connections that another process has accepted. */
  const adopted = new Set<Socket>();
  let onNoneAdopted = () => {};
  const toHttp = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');

  const lane = {
    tracking,
    requestMs,
    idleMs: () => (lane.isStopping ? stopping.idleMs : keepAliveMs),
    isStopping: false,
    ending: createEnding({ keepAliveMs }),
    handOver: parts.handOver ?? handToHttp,
    leave: (connection: FastConnection) => connections.delete(connection),
    onBroken: (error: unknown) =>
      log.error({ err: error }, 'a connection was in an invalid state and was closed without an answer'),
  };
  server.on('connection', (socket: Socket) => connections.add(new FastConnection(socket, lane)));

  function handToHttp(socket: Socket): void {
    handedOver.set(socket, { bytes: -1, silentMs: 0 });
    socket.once('close', () => handedOver.delete(socket));
    for (const listener of toHttp) listener.call(server, socket);
    socket.resume();
  }

  /** Checks after the sockets were read in the same turn: bytes that the kernel had count as activity. */
  const every = (ms: number, check: () => void) => setInterval(() => setImmediate(check), ms).unref();
  const tick = (ms: number) => () => {
    for (const connection of connections) connection.tick(ms);
  };
  const timers = [every(tickMs, tick(tickMs))];
  server.once('close', () => timers.forEach(clearInterval));

  function endSilent(): void {
    for (const [socket, seen] of handedOver) {
      const { bytesRead } = socket;
      seen.silentMs = isBusy(socket) || bytesRead !== seen.bytes ? 0 : seen.silentMs + stopping.tickMs;
      seen.bytes = bytesRead;
      if (seen.silentMs <= stopping.idleMs) continue;
      handedOver.delete(socket);
      endAndLinger(socket);
    }
  }

  return {
    isStopping: () => lane.isStopping,
    /** Goes on with a connection that another process has accepted and handed over. */
    adopt(socket: Socket): void {
      adopted.add(socket);
      socket.once('close', () => {
        adopted.delete(socket);
        if (adopted.size === 0) onNoneAdopted();
      });
      handToHttp(socket);
    },
    isAdopted: (socket: Socket): boolean => adopted.has(socket),
    /** Settles when no adopted connection is open. The server doesn't count them among its own. */
    adoptedClosed: (): Promise<void> =>
      adopted.size === 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            onNoneAdopted = resolve;
          }),
    /** From now on, the next answer on each connection is its last. Silent connections are closed. */
    stop(): void {
      lane.isStopping = true;
      clearInterval(timers[0]);
      for (const connection of connections) connection.stop();
      timers.push(every(stopping.tickMs, tick(stopping.tickMs)), every(stopping.tickMs, endSilent));
    },
    destroyAll(): void {
      for (const connection of connections) connection.destroy();
    },
  };
}
