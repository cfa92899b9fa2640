import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Tracking } from '../tracking.ts';
import { FastConnection } from './fast-connection.ts';
import { createEnding } from './format-answer.ts';

export type FastLane = ReturnType<typeof openFastLane>;

/**
 * Takes every new connection before Node's HTTP parser does, answers the plain tracking requests that come on it, and
 * hands the connection over with the first request that is anything else. Node spends more on the objects around a
 * request than we do on the record in it.
 */
export function openFastLane(parts: {
  server: Server;
  tracking: Tracking;
  keepAliveMs: number;
  tickMs: number;
}) {
  const { server, tracking, keepAliveMs, tickMs } = parts;
  const connections = new Set<FastConnection>();
  const toHttp = server.listeners('connection') as ((socket: Socket) => void)[];
  server.removeAllListeners('connection');
  let isStopping = false;

  const lane = {
    tracking,
    keepAliveMs,
    isStopping: () => isStopping,
    ending: createEnding({ keepAliveMs }),
    handOver(socket: Socket): void {
      for (const listener of toHttp) listener.call(server, socket);
    },
    leave: (connection: FastConnection) => connections.delete(connection),
  };
  server.on('connection', (socket: Socket) => connections.add(new FastConnection(socket, lane)));
  const timer = setInterval(() => {
    for (const connection of connections) connection.tick(tickMs);
  }, tickMs).unref();
  server.once('close', () => clearInterval(timer));

  return {
    /** Closes what is idle, and the rest with its answer. */
    stop(): void {
      isStopping = true;
      for (const connection of connections) connection.stop();
    },
    destroyAll(): void {
      for (const connection of connections) connection.destroy();
    },
  };
}
