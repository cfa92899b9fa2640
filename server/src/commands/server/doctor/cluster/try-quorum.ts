import { createStoreClient, queryRows } from '../../../../store/create-store-client.ts';
import { createStoreHosts } from '../../../../store/create-store-hosts.ts';
import { databaseName } from '../../../../store/database-name.ts';
import type { OutsideStore } from '../../../../store/store-address.ts';
import { type Finding, fault, ok, warning } from '../finding.ts';
import { type ClusterFacts, quorumOf } from './judge-cluster.ts';

/** Too few replicas are there, or too few of them have written it in time. */
const refusalCodes = new Set(['285', '286', '319']);
/** A host that is away would keep the statement waiting for longer. */
const settings = {
  distributed_ddl_task_timeout: '10',
  distributed_ddl_output_mode: 'null_status_on_timeout',
} as const;
const table = 'doctor_probe';

/** Writes a row to each shard as the server would, and counts the replicas that have it afterwards. */
export async function tryQuorum(
  outside: OutsideStore,
  facts: Pick<ClusterFacts, 'hosts' | 'quorum'>,
): Promise<Finding[]> {
  const { hosts, quorum } = facts;
  if (hosts.length === 0 || !hosts.some(({ tables }) => tables.length > 0)) return [];
  const at = (url: string) =>
    createStoreClient({ outside: { ...outside, hosts: createStoreHosts([url]) } }, databaseName, 'asking');
  const client = at(hosts[0]!.url);
  const run = (query: string) => client.command({ query, clickhouse_settings: settings });
  const { replicas } = hosts[0]!;
  const weights = new Map(replicas.map(({ shard, weight }) => [shard, weight]));
  const slots = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  try {
    await run(`drop table if exists ${table} sync`);
    await run(`create table if not exists ${table} (number UInt64) engine = MergeTree order by number`);
    try {
      await client.command({ query: `insert into ${table} select number from numbers(${slots})` });
    } catch (error) {
      if (!refusalCodes.has((error as { code?: string }).code ?? '')) throw error;
      return [
        warning(
          'writes wait, because too few replicas of a shard are there for the quorum',
          'start the others again; records are accepted and kept in the journals in the meantime',
        ),
      ];
    }
    const copies = new Map<number, number>();
    for (const host of hosts) {
      const here = host.replicas.find(({ isHere }) => isHere);
      const one = at(host.url);
      const query = `select count() as rows from ${table}_local`;
      const [row] = await queryRows<{ rows: number }>(one, { query }).finally(() => one.close());
      if (here !== undefined && (row?.rows ?? 0) > 0)
        copies.set(here.shard, (copies.get(here.shard) ?? 0) + 1);
    }
    return judgeCopies(
      [...weights.keys()].map((shard) => ({
        shard,
        copies: copies.get(shard) ?? 0,
        quorum: quorumOf(quorum, replicas.filter((replica) => replica.shard === shard).length),
      })),
    );
  } finally {
    await run(`drop table if exists ${table} sync`).catch(() => {});
    await client.close();
  }
}

type Written = { shard: number; copies: number; quorum: number };

export function judgeCopies(shards: readonly Written[]): Finding[] {
  const short = shards.filter(({ copies, quorum }) => copies < quorum);
  if (short.length === 0) return [ok('each shard has written a row to as many replicas as the quorum wants')];
  return short.map(({ shard, copies, quorum }) =>
    fault(
      `shard ${shard} has answered a write that ${copies} of its replicas have, where the quorum wants ${quorum}`,
      'check that the user may set insert_quorum, and that each replica of the shard has the same macro shard',
    ),
  );
}
