import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AppFaultCode } from '@trackside/contract/app/fault-codes.ts';
import { answerText, faultText, safeHeaders } from '../http/server/answer.ts';
import { createRequestIds } from '../http/server/request-ids.ts';

/** The paths of settings and statistics. Anything that looks like tracking gets exactly Code and Message. */
const hasFaultCodes = /^\/api\/(?!page-view|event-view)/;
const limits = { maxHeaderSize: 16 * 1024, headersTimeout: 15_000, requestTimeout: 30_000 };

export type WaitingServer = Awaited<ReturnType<typeof openWaitingServer>>;

/** Answers for a node that can't start yet: clients are told to try again later, and /health says why. */
export async function openWaitingServer(options: {
  host: string;
  port: number;
  degraded: { part: string; why: string };
  retryAfterSeconds: number;
}) {
  const requestId = createRequestIds();
  const refusal = answerText(503, 'The server cannot accept records at the moment: try again later');
  const fault: AppFaultCode = 'disk-fault';
  const codedRefusal = faultText(503, fault, 'The server cannot answer at the moment: try again later');
  const health = JSON.stringify({
    code: 503,
    message: 'Not accepting records',
    degraded: [options.degraded],
  });
  const server = createServer(limits, (request, response) => {
    // The body is read to its end, so that a client that is still sending gets its answer.
    request.resume();
    const path = request.url?.split('?', 1)[0] ?? '';
    const text = path === '/health' ? health : hasFaultCodes.test(path) ? codedRefusal : refusal;
    response.writeHead(503, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(text),
      [safeHeaders[0]]: safeHeaders[1],
      'Cache-Control': 'no-store',
      'Retry-After': String(options.retryAfterSeconds),
      'Request-Id': requestId(),
    });
    response.end(text);
  });
  server.listen({ host: options.host, port: options.port });
  await once(server, 'listening');
  return {
    address: server.address() as AddressInfo,
    /** Frees the port. */
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
