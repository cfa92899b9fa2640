import {
  type ClickHouseClient,
  type ClickHouseClientConfigOptions,
  ClickHouseError,
  createClient,
} from '@clickhouse/client';
import type { OutsideStore } from './store-address.ts';

export type OutsideClient = Pick<ClickHouseClient, 'query' | 'command' | 'exec' | 'ping' | 'close'>;

const maxOpenConnections = 32;
const mebibyte = 2 ** 20;

/** The host can't work now, though it answers: it has no connection, no other replica, or no keeper. */
const unavailableCodes = new Set(['210', '242', '279', '999']);

/**
 * A client for a ClickHouse outside. It asks the host that all clients ask now, and goes on to the next one
 * when that fails. The statement that has failed isn't repeated here: the caller knows whether that is right.
 */
export function createOutsideClient(
  outside: OutsideStore,
  common: ClickHouseClientConfigOptions,
): OutsideClient {
  const { hosts } = outside;
  const clients = new Map(hosts.urls.map((url) => [url, createHostClient(outside, url, common)]));
  const ask = async <T>(
    signal: AbortSignal | undefined,
    work: (client: ClickHouseClient) => Promise<T>,
  ): Promise<T> => {
    const url = hosts.current();
    try {
      return await work(clients.get(url)!);
    } catch (error) {
      // A caller who has left says nothing about the host.
      if (signal?.aborted !== true && isUnavailable(error, outside)) hosts.giveUp(url);
      throw error;
    }
  };
  return {
    query: (asked) => ask(asked.abort_signal, (client) => client.query(asked)),
    command: (asked) => ask(asked.abort_signal, (client) => client.command(asked)),
    exec: (asked: Parameters<ClickHouseClient['exec']>[0]) =>
      ask(asked.abort_signal, (client) => client.exec(asked)),
    ping: (asked) => clients.get(hosts.current())!.ping(asked),
    close: async () => {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}

/** A client for one host. Settings go with every request, because those of the host are not ours. */
export function createHostClient(
  outside: OutsideStore,
  url: string,
  common: ClickHouseClientConfigOptions,
): ClickHouseClient {
  const { user, password, caPem, maxStatementBytes, cluster } = outside;
  const spillBytes = String(Math.floor(maxStatementBytes / 2));
  return createClient({
    ...common,
    url,
    username: user,
    password,
    max_open_connections: maxOpenConnections,
    // ClickHouse takes 1 MiB in the address of a request.
    use_multipart_params_auto: true,
    ...(caPem && { tls: { ca_cert: caPem } }),
    clickhouse_settings: {
      ...common.clickhouse_settings,
      async_insert: 0,
      session_timezone: 'UTC',
      max_query_size: String(8 * mebibyte),
      max_execution_time: 30,
      max_memory_usage: String(maxStatementBytes),
      max_bytes_before_external_group_by: spillBytes,
      max_bytes_before_external_sort: spillBytes,
      ...cluster?.settings,
    },
  });
}

/** On a cluster, an error can be that of a shard, which every other host would report as well. */
function isUnavailable(error: unknown, { cluster }: OutsideStore): boolean {
  if (!(error instanceof ClickHouseError)) return true;
  return cluster === undefined && unavailableCodes.has(error.code);
}
