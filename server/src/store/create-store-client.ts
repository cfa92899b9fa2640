import { Agent } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  type CommandParams,
  createClient,
  type ExecParams,
} from '@clickhouse/client';
import { toClusterStatements } from './cluster/cluster-statements.ts';
import { createDividedWebsites, type DividedWebsites, noneDivided } from './cluster/divided-websites.ts';
import type { StoreCluster } from './cluster/store-cluster.ts';
import { createOutsideClient } from './create-outside-client.ts';
import type { StoreAddress } from './store-address.ts';
import { withoutValues } from './without-values.ts';

export type StoreClient = Pick<ClickHouseClient, 'query' | 'exec' | 'ping' | 'close'> & {
  /** Runs a statement without an answer: on all hosts of the cluster, if there is one. */
  command(asked: CommandParams): Promise<void>;
  /** Undefined if each host has all rows. */
  readonly cluster: StoreCluster | undefined;
  readonly divided: DividedWebsites;
};

/** What a client is for: bringing records in, or asking about them. */
export type StoreUse = 'loading' | 'asking';

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

/** Longer than the longest wait in the engine's queue plus the time that a statement may take. */
const requestTimeoutMs = 120_000;
/**
 * The engine takes this long to give up on a damaged block: it looks for a single bit that explains the wrong
 * checksum, and tries every bit of up to 1 MiB. It can't be stopped, and notices no time limit. A client that
 * leaves earlier never learns which rows are damaged.
 */
export const damagedReadTimeoutMs = 3_600_000;
const maxSockets = 32;

export function createStoreClient(
  address: StoreAddress,
  database: string,
  use: StoreUse,
  timeoutMs: number = requestTimeoutMs,
): StoreClient {
  const common = {
    // The engine reserves a session for loading, so that counting a batch never waits behind a user's
    // question.
    http_headers: { 'X-Trackside-Use': use },
    database,
    request_timeout: timeoutMs,
    compression: { request: false, response: false },
    // Every fault rejects the call, and the caller knows whether it matters.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: {
      // Counts arrive as numbers. A visitor id has 64 bits and doesn't fit in one, so select
      // toString(visitor_id).
      output_format_json_quote_64bit_integers: 0,
    } as const,
  };
  const client =
    'outside' in address
      ? createOutsideClient(address.outside, common)
      : createClient({
          ...common,
          url: 'http://engine',
          // Every client needs its own agent. An agent closes sockets that it considers idle, so it would cut
          // off a request that another client has just started on the same agent.
          http_agent: new UnixSocketAgent(address.socketPath),
        });
  const cluster = 'outside' in address ? address.outside.cluster : undefined;
  const command = async (asked: CommandParams): Promise<void> => {
    if (cluster === undefined) return void (await client.command(asked));
    for (const { query, settings } of toClusterStatements(asked.query, cluster))
      await client.command({
        ...asked,
        query,
        clickhouse_settings: { ...settings, ...asked.clickhouse_settings },
      });
  };
  const store =
    'outside' in address
      ? `the store at ${address.outside.hosts.urls.join(', ')}`
      : `the store in ${dirname(address.socketPath)}`;
  const telling = async <T>(statement: string, answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      throw withoutValues(error, statement, store);
    }
  };
  const query: StoreClient['query'] = (asked) => telling(asked.query, client.query(asked));
  return {
    query,
    command: (asked) => telling(asked.query, command(asked)),
    exec: (asked: ExecParams) => telling(asked.query, client.exec(asked)),
    ping: (asked) => client.ping(asked),
    close: () => client.close(),
    cluster,
    divided: cluster
      ? createDividedWebsites((text) => queryRows({ query }, { query: text, isQuick: true }))
      : noneDivided,
  };
}

/**
 * Asks one question whose entire answer fits in memory. Values are bound parameters, and never part of the
 * text.
 */
export async function queryRows<Row>(client: Pick<StoreClient, 'query'>, question: Question): Promise<Row[]> {
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

class UnixSocketAgent extends Agent {
  readonly #socketPath: string;

  constructor(socketPath: string) {
    super({ keepAlive: true, maxSockets });
    this.#socketPath = socketPath;
  }

  override createConnection(): ReturnType<Agent['createConnection']> {
    return connect(this.#socketPath);
  }
}
