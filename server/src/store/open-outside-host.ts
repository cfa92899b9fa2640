import { ClickHouseLogLevel } from '@clickhouse/client';
import { createHostClient } from './create-outside-client.ts';
import type { OutsideStore } from './store-address.ts';

export type OutsideHost = ReturnType<typeof openOutsideHost>;

const answerWithinMs = 10_000;

const isMarked = `
  startsWith(query_id, {mark:String})
  or startsWith(initial_query_id, {mark:String})
  or startsWith(Settings['log_comment'], {mark:String})`;

/** One host of an outside store, to see whether it is there and what of ours is running on it. */
export function openOutsideHost(outside: OutsideStore, url: string) {
  const client = createHostClient(outside, url, {
    request_timeout: answerWithinMs,
    // These statements must not wait behind the INSERT that they are about.
    http_headers: { 'X-Trackside-Use': 'quick' },
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  const ask = async (query: string, mark = ''): Promise<number> => {
    const answer = await client.query({ query, format: 'JSONEachRow', query_params: { mark } });
    const [row] = await answer.json<{ number: number }>();
    return row?.number ?? 0;
  };
  return {
    url,
    /** When the host was started, in seconds since 1970, give or take a second. */
    startedAt: () => ask('select toUnixTimestamp(now()) - uptime() as number'),
    /** Kills the INSERTs whose ids begin with the mark, and returns how many are still running. */
    killInserts: async (mark: string): Promise<number> => {
      await client.command({ query: `kill query where ${isMarked} sync`, query_params: { mark } });
      return await ask(`select count() as number from system.processes where ${isMarked}`, mark);
    },
    countBrokenParts: () =>
      ask(`select count() as number from system.detached_parts where startsWith(reason, 'broken')`),
    close: () => client.close(),
  };
}
