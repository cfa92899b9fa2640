import type { ClickHouseSettings } from '@clickhouse/client';
import { databaseName } from '../database-name.ts';

/** A ClickHouse of several shards and replicas: what its tables are called, and how they are used. */
export type StoreCluster = ReturnType<typeof createStoreCluster>;

export type ClusterOptions = {
  /** The name of the cluster in ClickHouse's configuration. */
  name: string;
  /** How many replicas of a shard must have written an INSERT before it counts. `auto` is the majority. */
  quorum: string;
};

const quorumWithinMs = 30_000;
const maxReplicaDelaySeconds = 5;

export function createStoreCluster({ name, quorum }: ClusterOptions) {
  const quoted = `'${name}'`;
  const localName = (table: string) => `${table}_local`;
  const settings: ClickHouseSettings = {
    // An INSERT is answered when all shards have its rows, each on as many replicas as the quorum wants.
    distributed_foreground_insert: 1,
    insert_quorum: quorum,
    insert_quorum_timeout: quorumWithinMs,
    // Only batches of records have a token by which a repeated INSERT is recognized.
    insert_deduplicate: 0,
    // Rows that belong together can be on different shards, unless a statement knows more.
    optimize_skip_unused_shards: 0,
    distributed_product_mode: 'global',
    // What is built from rows is sorted onto the shards like any other row, whatever the shards do with it.
    parallel_distributed_insert_select: '0',
    // All nodes ask the same replica, as long as it is there and isn't behind. So they see the same rows.
    load_balancing: 'in_order',
    prefer_localhost_replica: 0,
    max_replica_delay_for_distributed_queries: String(maxReplicaDelaySeconds),
    // A shard that is away must not look like one without rows.
    skip_unavailable_shards: 0,
  };
  return {
    name,
    quorum,
    settings,
    /** For statements about rows that are on one shard: they go there, and its tables can be joined there. */
    onOneShard: {
      optimize_skip_unused_shards: 1,
      distributed_product_mode: 'local',
    } as ClickHouseSettings,
    /** Lets a question about system tables pass over hosts that are away. */
    reachable: { skip_unavailable_shards: 1 } as ClickHouseSettings,
    everywhere: `on cluster ${quoted}`,
    localName,
    /** The table of one shard. The hosts don't agree on a default database, so each name has its own. */
    local: (table: string) => `${databaseName}.${localName(table)}`,
    plain: (table: string) => `${databaseName}.${table}`,
    /** A system table of all replicas that can be reached. */
    system: (table: string) => `clusterAllReplicas(${quoted}, system.${table})`,
    engine(table: string, engine: string, argument: string): string {
      if (engine === 'Merge') {
        // The pattern of the tables that are merged ends with their names.
        const pattern = /, ('.*)\$'$/.exec(argument)?.[1];
        return `Merge('${databaseName}', ${pattern}_local$')`;
      }
      const path = `/clickhouse/tables/{shard}/${databaseName}/${localName(table)}`;
      const others = argument === '' ? '' : `, ${argument}`;
      return `Replicated${engine}('${path}', '{replica}'${others})`;
    },
    /** What to insert into, so that rows go to the shards by another key than that of the distributed table. */
    sortedOnto: (table: string, key: string) =>
      `function cluster(${quoted}, '${databaseName}', '${localName(table)}', ${key})`,
    distributed: (table: string, key: string) =>
      `Distributed(${quoted}, '${databaseName}', '${localName(table)}', ${key})`,
  };
}
