import type { ClickHouseSettings } from '@clickhouse/client';
import type { StoreClient } from './create-store-client.ts';

export type Question = {
  query: string;
  params?: Record<string, unknown>;
  settings?: ClickHouseSettings;
  abortSignal?: AbortSignal;
  /** Takes milliseconds whatever the store holds: the engine keeps sessions free for these. */
  isQuick?: boolean;
};

/**
 * Asks one question whose whole answer fits in memory. Values go in as bound parameters, never into the text.
 */
export async function queryRows<Row>(client: StoreClient, question: Question): Promise<Row[]> {
  // The client waits for a signal to be aborted, and does not see that it is.
  question.abortSignal?.throwIfAborted();
  const answer = await client.query({
    query: question.query,
    format: 'JSONEachRow',
    ...(question.params && { query_params: question.params }),
    // The whole answer is made before its head is sent, so that a late failure is a status and not a cut-off
    // body.
    clickhouse_settings: { ...question.settings, wait_end_of_query: 1 },
    ...(question.abortSignal && { abort_signal: question.abortSignal }),
    ...(question.isQuick === true && { http_headers: { 'X-Trackside-Use': 'quick' } }),
  });
  return await answer.json<Row>();
}
