import { OperatorError } from '../../operator-error.ts';
import { queryRows, type StoreClient } from '../create-store-client.ts';
import { databaseName } from '../database-name.ts';
import type { StoreCluster } from './store-cluster.ts';

const variable = 'TRACKSIDE_CLICKHOUSE_CLUSTER';

/**
 * Refuses a store whose rows are elsewhere than the settings say, and returns the shards of the cluster: ''
 * without one. A website is on the shard that its number selects among them, so with other shards, its
 * records would not be found.
 */
export async function checkLayout(client: StoreClient): Promise<string> {
  const { cluster } = client;
  const tables = await queryRows<{ name: string; engine: string }>(client, {
    query: `
      select name, engine from system.tables
      where database = '${databaseName}' and name in ('records', 'store_identity')`,
  });
  const records = tables.find(({ name }) => name === 'records');
  const isDistributed = records?.engine === 'Distributed';
  if (records !== undefined && isDistributed !== (cluster !== undefined))
    throw new OperatorError(
      isDistributed
        ? `the store was created on a cluster: set ${variable} to its name`
        : `the store was created without a cluster: leave ${variable} empty, or use another ClickHouse`,
    );
  if (cluster === undefined) return '';
  const shards = await readShards(client, cluster);
  if (!tables.some(({ name }) => name === 'store_identity')) return shards;
  const [noted] = await queryRows<{ shards: string }>(client, { query: 'select shards from store_identity' });
  if (noted === undefined || noted.shards === shards) return shards;
  throw new OperatorError(
    `the store was created on shards with the weights ${noted.shards}, but ${variable} ("${cluster.name}") ` +
      `has ${shards} now; restore the shards, because the records of each website are where they were`,
  );
}

/** Returns the numbers and weights of the shards, such as `1:1,2:1`. */
export async function readShards(client: StoreClient, cluster: StoreCluster): Promise<string> {
  const rows = await queryRows<{ cluster: string; shards: string }>(client, {
    query: `
      select cluster, arrayStringConcat(arraySort(x -> toUInt32(splitByChar(':', x)[1]), groupUniqArray(
        concat(toString(shard_num), ':', toString(shard_weight))
      )), ',') as shards
      from system.clusters group by cluster order by cluster`,
  });
  const found = rows.find((row) => row.cluster === cluster.name);
  if (found !== undefined) return found.shards;
  const known = rows.map((row) => row.cluster).join(', ') || 'none';
  throw new OperatorError(
    `${variable}: expected a cluster that ClickHouse knows (${known}), got "${cluster.name}"`,
  );
}
