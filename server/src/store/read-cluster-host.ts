import { ClickHouseLogLevel } from '@clickhouse/client';
import type { Clock } from '../time/clock.ts';
import type { StoreCluster } from './cluster/store-cluster.ts';
import { createHostClient } from './create-outside-client.ts';
import { databaseName } from './database-name.ts';
import type { OutsideStore } from './store-address.ts';

/** A replica of a shard, as a host has it in its configuration. */
export type ClusterReplica = {
  shard: number;
  replica: number;
  host: string;
  weight: number;
  /** Whether the host that was asked is this one. */
  isHere: boolean;
  /** Whether a write goes to one replica, which hands it on to the others. */
  isInternal: boolean;
};

export type ReplicatedTable = {
  table: string;
  isReadOnly: boolean;
  delaySeconds: number;
  replicas: number;
  activeReplicas: number;
};

/** What one host says about itself and about the cluster. */
export type ClusterHost = {
  url: string;
  version: string;
  /** By how much its clock is ahead of this machine's. */
  clockAheadMs: number;
  replicas: ClusterReplica[];
  macros: Record<string, string>;
  tables: string[];
  replicated: ReplicatedTable[];
};

const answerWithinMs = 10_000;

/** Asks one host of a cluster. Rejects if it doesn't answer. */
export async function readClusterHost(
  outside: OutsideStore,
  cluster: StoreCluster,
  url: string,
  clock: Pick<Clock, 'now'>,
): Promise<ClusterHost> {
  const client = createHostClient(outside, url, {
    request_timeout: answerWithinMs,
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
  });
  const ask = async <Row>(query: string): Promise<Row[]> => {
    const query_params = { cluster: cluster.name, database: databaseName };
    return await (await client.query({ query, format: 'JSONEachRow', query_params })).json<Row>();
  };
  try {
    // The first answer may have to wait for the connection, which would look like a clock that is behind.
    await ask('select 1');
    const askedAtMs = clock.now();
    const [now] = await ask<{ version: string; ms: number }>(
      'select version() as version, toUnixTimestamp64Milli(now64(3)) as ms',
    );
    const answeredAtMs = clock.now();
    const macros = await ask<{ macro: string; substitution: string }>('select * from system.macros');
    const tables = await ask<{ name: string }>(
      'select name from system.tables where database = {database:String} order by name',
    );
    return {
      url,
      version: now!.version,
      clockAheadMs: now!.ms - (askedAtMs + answeredAtMs) / 2,
      replicas: await ask<ClusterReplica>(`
        select
          shard_num as shard, replica_num as replica, host_name as host, shard_weight as weight,
          is_local = 1 as isHere, internal_replication = 1 as isInternal
        from system.clusters where cluster = {cluster:String} order by shard, replica`),
      macros: Object.fromEntries(macros.map(({ macro, substitution }) => [macro, substitution])),
      tables: tables.map(({ name }) => name),
      replicated: await ask<ReplicatedTable>(`
        select
          table, is_readonly = 1 as isReadOnly, absolute_delay as delaySeconds, total_replicas as replicas,
          active_replicas as activeReplicas
        from system.replicas where database = {database:String} order by table`),
    };
  } finally {
    await client.close();
  }
}
