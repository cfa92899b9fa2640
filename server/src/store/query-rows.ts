import type { ClickHouseSettings } from '@clickhouse/client';
import type { StoreClient } from './create-store-client.ts';

export type Question = {
  query: string;
  params?: Record<string, unknown>;
  settings?: ClickHouseSettings;
  abortSignal?: AbortSignal;
  /**
   * The question takes milliseconds, no matter how much the store holds. The engine reserves sessions for
   * these.
   */
  isQuick?: boolean;
};

/**
 * Asks one question whose entire answer fits in memory. Values are bound parameters, and never part of the
 * text.
 */
export async function queryRows<Row>(client: StoreClient, question: Question): Promise<Row[]> {
  // The client waits for an abort event, and doesn't notice a signal that is already aborted.
  question.abortSignal?.throwIfAborted();
  const answer = await client.query({
    query: question.query,
    format: 'JSONEachRow',
    ...(question.params && { query_params: question.params }),
    // The engine finishes the answer before it sends the head, so that a late failure shows in the status
    // instead of cutting off the body.
    clickhouse_settings: { ...question.settings, wait_end_of_query: 1 },
    ...(question.abortSignal && { abort_signal: question.abortSignal }),
    ...(question.isQuick === true && { http_headers: { 'X-Trackside-Use': 'quick' } }),
  });
  return await answer.json<Row>();
}
