import { addAbortSignal } from 'node:stream';
import type { Question, StoreClient } from './create-store-client.ts';

export type AnsweredBytes = {
  chunks: Buffer[];
  /** The bytes that the store has read for the answer, uncompressed. */
  readBytes: number;
};

/** Asks one question whose answer fits in memory. The question names the format of the answer itself. */
export async function queryBytes(client: StoreClient, question: Question): Promise<AnsweredBytes> {
  const { query, params, settings, abortSignal } = question;
  const { stream, summary } = await client.exec({
    query,
    ...(params && { query_params: params }),
    // As in queryRows, a failure shows in the status, and never as an answer that ends early.
    clickhouse_settings: { ...settings, wait_end_of_query: 1 },
    ...(abortSignal && { abort_signal: abortSignal }),
  });
  // The client stops watching the signal as soon as the response head is there.
  if (abortSignal !== undefined) addAbortSignal(abortSignal, stream);
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return { chunks, readBytes: Number(summary?.read_bytes ?? 0) };
}
