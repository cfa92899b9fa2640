import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { createBoundedLog } from '../../http/server/bounded-log.ts';
import type { Log } from '../../log.ts';
import { answerRefusal, type Refusal, tooLarge } from './answer-refusal.ts';
import { type Credentials, checkCredentials } from './check-credentials.ts';
import { maxBodyBytes, passOn } from './pass-on.ts';

type Options = {
  host: string;
  port: number;
  credentials: Credentials;
  /** Where the engine answers. */
  socketPath: string;
  /** Why the engine can't answer now. Undefined while it can. */
  whyAway: () => string | undefined;
  log: Log;
};

/** As much as ClickHouse takes. Until its head is complete, nobody knows whether a request is allowed. */
const maxHeadBytes = 2 ** 20;
const maxConnections = 256;
const headWithinMs = 10_000;
const requestWithinMs = 120_000;
const lookEveryMs = 2_000;
const closeIdleEveryMs = 50;

/**
 * Opens the port of an engine that runs as a service. It lets in who has the password and passes requests on
 * to the engine's socket. It is in the supervising process, so that the port stays open while the engine
 * restarts, and so that strangers never reach the process with the data.
 */
export async function openEngineFront(options: Options) {
  const { host, port, log, whyAway } = options;
  const isAllowed = checkCredentials(options.credentials);
  const requestLog = createBoundedLog(log);
  const refuse = (request: IncomingMessage): Refusal | undefined => {
    // Programs on servers don't send this. A web page could otherwise use a browser on this machine.
    if (request.headers.origin !== undefined)
      return { status: 403, code: 497, type: 'ACCESS_DENIED', says: 'expected no Origin header, got one' };
    if (!isAllowed(request.headers)) {
      requestLog.warn({ from: request.socket.remoteAddress }, 'refused a wrong user or password');
      const says = 'expected the user and the password of this engine, got others';
      return { status: 401, code: 516, type: 'AUTHENTICATION_FAILED', says };
    }
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) return tooLarge(maxBodyBytes);
    const why = whyAway();
    if (why === undefined) return undefined;
    return { status: 503, code: 210, type: 'NETWORK_ERROR', says: `the engine is not ready: ${why}` };
  };
  const server = createServer(
    {
      maxHeaderSize: maxHeadBytes,
      headersTimeout: headWithinMs,
      requestTimeout: requestWithinMs,
      keepAliveTimeout: 30_000,
      connectionsCheckingInterval: lookEveryMs,
    },
    (request, response) => {
      const refusal = refuse(request);
      if (refusal !== undefined) answerRefusal(response, refusal);
      else void passOn(options.socketPath, request, response);
    },
  );
  server.maxConnections = maxConnections;
  const listening = once(server, 'listening');
  server.listen({ host, port });
  await listening;
  return {
    address: server.address() as AddressInfo,
    /** Takes no more requests, and gives those in progress this long to end. */
    async stop({ withinMs }: { withinMs: number }): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      // A connection stays open after its answer, so those that become idle are closed too.
      const closing = setInterval(() => server.closeIdleConnections(), closeIdleEveryMs);
      await Promise.race([closed, delay(withinMs, undefined, { ref: false })]);
      clearInterval(closing);
      server.closeAllConnections();
      await closed;
      requestLog.stop();
    },
  };
}
