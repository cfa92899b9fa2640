import { addAbortSignal } from 'node:stream';
import type { Question, StoreClient } from './create-store-client.ts';

export type AnsweredBytes = {
  chunks: Buffer[];
  /** What the store has read for it, uncompressed. */
  readBytes: number;
};

/** Asks one question whose answer, in the format that it names itself, fits in memory. */
export async function queryBytes(client: StoreClient, question: Question): Promise<AnsweredBytes> {
  const { query, params, settings, abortSignal } = question;
  const { stream, summary } = await client.exec({
    query,
    ...(params && { query_params: params }),
    // As in queryRows: a failure is a status, never an answer that ends early.
    clickhouse_settings: { ...settings, wait_end_of_query: 1 },
    ...(abortSignal && { abort_signal: abortSignal }),
  });
  // The client itself stops looking at the signal as soon as the head is there.
  if (abortSignal !== undefined) addAbortSignal(abortSignal, stream);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return { chunks, readBytes: Number(summary?.read_bytes ?? 0) };
}
