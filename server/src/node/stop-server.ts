import { Server } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastLane } from '../http/tracking/fast-lane/open-fast-lane.ts';

/** How long waiting connections are still accepted if they never stop coming. */
const maxAcceptMs = 250;

/**
 * Stops accepting connections, answers everything that arrives on open ones, and closes each with its last
 * answer.
 */
export async function stopServer(parts: {
  server: Server & { closeAllConnections?(): void };
  fastLane: FastLane;
  withinMs: number;
}): Promise<void> {
  const { server, fastLane, withinMs } = parts;
  await acceptWaiting(server);
  // The close() of the HTTP server first destroys idle connections, but a request may be arriving on them.
  const closed = new Promise<void>((resolve) => Server.prototype.close.call(server, () => resolve()));
  // This must come after closing: a client whose connection is closed opens another one, which must not wait
  // in a queue that we throw away.
  fastLane.stop();
  const closeAll = setTimeout(() => {
    fastLane.destroyAll();
    server.closeAllConnections?.();
  }, withinMs);
  await closed;
  await fastLane.adoptedClosed();
  clearTimeout(closeAll);
}

/**
 * When the listening socket closes, the kernel resets connections that it has set up but that we haven't
 * accepted. Connections that arrive between the last check and the close are still lost, because no call does
 * both at once.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  // A turn that begins after this one asks the kernel again. The second await ends right after that.
  await nextTurn();
  const untilMs = performance.now() + maxAcceptMs;
  for (let before = -1; before !== accepted && performance.now() < untilMs; ) {
    before = accepted;
    await nextTurn();
  }
  server.off('connection', count);
}
