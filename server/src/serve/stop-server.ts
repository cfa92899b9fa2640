import type { Server } from 'node:http';
import type { FastLane } from '../http/fast-lane/open-fast-lane.ts';

/** Stops accepting, lets requests under way be answered, and closes connections as they fall idle. */
export async function stopServer(parts: {
  server: Server;
  fastLane: FastLane;
  withinMs: number;
}): Promise<void> {
  const { server, fastLane, withinMs } = parts;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  fastLane.stop();
  const closeIdle = setInterval(() => server.closeIdleConnections(), 20);
  const closeAll = setTimeout(() => {
    fastLane.destroyAll();
    server.closeAllConnections();
  }, withinMs);
  await closed;
  clearInterval(closeIdle);
  clearTimeout(closeAll);
}
