import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastLane } from '../http/tracking/fast-lane/open-fast-lane.ts';

/** For which connections that wait to be accepted are still taken, where they do not cease to come. */
const maxAcceptMs = 250;

/**
 * Stops accepting, answers what has come and what still comes on open connections, and closes each with its
 * last answer.
 */
export async function stopServer(parts: {
  server: Server;
  fastLane: FastLane;
  withinMs: number;
}): Promise<void> {
  const { server, fastLane, withinMs } = parts;
  await acceptWaiting(server);
  // Not close() of the HTTP server, which first destroys idle connections: a request may be on its way on
  // them.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  // Only now: a client whose connection is closed opens another, which must not wait in a queue that we throw
  // away.
  fastLane.stop();
  const closeAll = setTimeout(() => {
    fastLane.destroyAll();
    server.closeAllConnections();
  }, withinMs);
  await closed;
  clearTimeout(closeAll);
}

/**
 * The kernel resets connections that it has made for us and that are not accepted when the listening socket
 * closes. What comes between the last look and the close is still lost; there is no call that does both at
 * once.
 */
async function acceptWaiting(server: Server): Promise<void> {
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on('connection', count);
  // A turn that begins behind this one asks the kernel anew: the second await is over right after that.
  await nextTurn();
  const untilMs = performance.now() + maxAcceptMs;
  for (let before = -1; before !== accepted && performance.now() < untilMs; ) {
    before = accepted;
    await nextTurn();
  }
  server.off('connection', count);
}
