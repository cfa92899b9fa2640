import { Agent, request } from 'node:http';
import type { LoadResult } from './send-closed-loop.ts';
import { summarizeLoad } from './summarize-load.ts';

export type HttpRequest = { path: string; apiKey: string; body: string };

/**
 * Sends records as fast as they are answered, as a backend on Node does: by its own client, which takes much
 * longer for a request than a load generator that writes prepared bytes.
 */
export async function sendByHttp(options: {
  origin: string;
  requests: readonly HttpRequest[];
  records: number;
  connections: number;
  recordsInRequest: number;
}): Promise<LoadResult> {
  const { origin, requests, records, connections, recordsInRequest } = options;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const latenciesMs: number[] = [];
  let sent = 0;
  let errors = 0;

  const sendOne = ({ path, apiKey, body }: HttpRequest): Promise<number> => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const headers = {
      Authorization: apiKey,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    };
    const asked = request(origin + path, { method: 'POST', agent, headers }, (response) => {
      response.on('error', reject);
      response.on('end', () => resolve(response.statusCode!));
      response.resume();
    });
    asked.on('error', reject);
    asked.end(body);
    return promise;
  };

  const runConnection = async (): Promise<void> => {
    while (sent < records) {
      const next = requests[(sent / recordsInRequest) % requests.length]!;
      sent += recordsInRequest;
      const sentMs = performance.now();
      const status = await sendOne(next).catch(() => 0);
      latenciesMs.push(performance.now() - sentMs);
      if (status !== 200) errors += 1;
    }
  };

  const startMs = performance.now();
  await Promise.all(Array.from({ length: connections }, runConnection));
  const tookMs = performance.now() - startMs;
  agent.destroy();
  return summarizeLoad({ latenciesMs, errors, tookMs, recordsInRequest });
}
