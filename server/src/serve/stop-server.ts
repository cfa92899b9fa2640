import type { Server } from 'node:http';

/** Stops accepting, lets requests under way be answered, and closes connections as they fall idle. */
export async function stopServer(server: Server, { withinMs }: { withinMs: number }): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  const closeIdle = setInterval(() => server.closeIdleConnections(), 20);
  const closeAll = setTimeout(() => server.closeAllConnections(), withinMs);
  await closed;
  clearInterval(closeIdle);
  clearTimeout(closeAll);
}
