import { connect } from 'node:net';
import { readStatus } from '../send-open-loop.ts';
import { summarizeLoad } from './summarize-load.ts';

export type LoadResult = { perSecond: number; answers: number; errors: number; p50Ms: number; p99Ms: number };

/**
 * Sends a number of records as fast as they are answered. The work is the same in each run, however fast the
 * machine is at the moment. Texts are ready to be sent, because the sender shares the processors with the server.
 */
export async function sendClosedLoop(options: {
  origin: string;
  texts: readonly string[];
  records: number;
  connections: number;
  /** How many records each text has: more than one in a batch. */
  recordsInText?: number;
}): Promise<LoadResult> {
  const { origin, texts, records, connections, recordsInText = 1 } = options;
  const { hostname, port } = new URL(origin);
  const latenciesMs: number[] = [];
  let sent = 0;
  let errors = 0;

  const runConnection = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    let received = '';
    let sentMs: number | undefined;
    const sendNext = () => {
      if (sent >= records) {
        sentMs = undefined;
        socket.destroy();
        return;
      }
      sentMs = performance.now();
      socket.write(texts[(sent / recordsInText) % texts.length]!);
      sent += recordsInText;
    };
    socket.setEncoding('latin1');
    socket.on('connect', sendNext);
    socket.on('data', (chunk: string) => {
      received += chunk;
      const status = readStatus(received);
      if (status === undefined) return;
      received = '';
      latenciesMs.push(performance.now() - sentMs!);
      if (status !== '200') errors += 1;
      sendNext();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (sentMs !== undefined) errors += 1;
      resolve();
    });
    return promise;
  };

  const startMs = performance.now();
  await Promise.all(Array.from({ length: connections }, runConnection));
  const tookMs = performance.now() - startMs;
  return summarizeLoad({ latenciesMs, errors, tookMs, recordsInRequest: recordsInText });
}
