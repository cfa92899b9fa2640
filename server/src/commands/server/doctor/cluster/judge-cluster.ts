import { secrets } from '../../../../config/secrets.ts';
import { clickhouseClusterVariable } from '../../../../config/variables.ts';
import { dividedAmong } from '../../../../store/cluster/divided-websites.ts';
import type { ClusterHost, ClusterReplica } from '../../../../store/read-cluster-host.ts';
import { type Finding, fault, ok, warning } from '../finding.ts';

/** What the hosts of a cluster say. Those that don't answer have a reason instead. */
export type ClusterFacts = {
  name: string;
  quorum: string;
  hosts: readonly ClusterHost[];
  away: readonly { url: string; why: string }[];
};

const maxClockMs = 2_000;
/** As long as a replica isn't further behind, the server reads from it. */
const maxDelaySeconds = 5;

const many = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;

export const placeOf = ({ shard, replica }: Pick<ClusterReplica, 'shard' | 'replica'>) =>
  `replica ${replica} of shard ${shard}`;

/** How many replicas of a shard must have a row before its INSERT is answered. */
export function quorumOf(quorum: string, replicas: number): number {
  return quorum === 'auto' ? Math.floor(replicas / 2) + 1 : Number(quorum);
}

export function judgeHosts({ hosts, away }: ClusterFacts): Finding[] {
  const findings = away.map(({ url, why }) =>
    fault(`${url} does not answer (${why})`, 'start ClickHouse there, or check the network and the password'),
  );
  const versions = new Set(hosts.map(({ version }) => version));
  if (versions.size > 1)
    findings.push(
      warning(
        `the hosts have different versions (${[...versions].toSorted().join(', ')})`,
        'bring all of them to the newest one',
      ),
    );
  if (findings.length > 0) return findings;
  return [ok(`all hosts answer (${many(hosts.length, 'host')} with ClickHouse ${[...versions].join()})`)];
}

export function judgeClocks({ hosts }: ClusterFacts): Finding[] {
  const wrong = hosts.filter(({ clockAheadMs }) => Math.abs(clockAheadMs) >= maxClockMs);
  if (wrong.length === 0) return [ok('the clocks of all hosts agree with this machine')];
  return wrong.map(({ url, clockAheadMs }) => {
    const seconds = (Math.abs(clockAheadMs) / 1000).toFixed(1);
    const says = `the clock of ${url} is ${seconds} s ${clockAheadMs > 0 ? 'ahead' : 'behind'}`;
    return warning(says, 'synchronize the clocks of all machines with NTP');
  });
}

export function judgeShards({ name, quorum, hosts, away }: ClusterFacts): Finding[] {
  const all = hosts[0]?.replicas ?? [];
  if (hosts.length === 0) return [];
  const strangers = hosts.filter(({ replicas }) => replicas.length === 0);
  if (strangers.length > 0)
    return strangers.map(({ url }) =>
      fault(
        `${url} has no cluster "${name}" in its configuration`,
        `add it to remote_servers, or correct ${clickhouseClusterVariable}`,
      ),
    );
  const findings = hosts
    .filter(({ replicas }) => JSON.stringify(replicas.map(shown)) !== JSON.stringify(all.map(shown)))
    .map(({ url }) =>
      fault(
        `${url} and ${hosts[0]!.url} have different hosts in cluster "${name}"`,
        'give all hosts the same remote_servers',
      ),
    );
  if (all.some(({ isInternal }) => !isInternal))
    findings.push(
      fault(
        'internal_replication is off, so each row would be written twice',
        'set <internal_replication>true</internal_replication> in each shard',
      ),
    );
  const there = new Set(
    hosts.flatMap(({ replicas }) => replicas.filter(({ isHere }) => isHere).map(placeOf)),
  );
  for (const [shard, replicas] of Map.groupBy(all, (replica) => replica.shard)) {
    const missing = replicas.filter((replica) => !there.has(placeOf(replica)));
    if (missing.length === 0) continue;
    const names = missing.map((replica) => `${placeOf(replica)} (${replica.host})`).join(', ');
    const isQuorum = replicas.length - missing.length >= quorumOf(quorum, replicas.length);
    const todo =
      away.length > 0
        ? 'start it again; records are accepted and kept in the journals in the meantime'
        : `add it to ${secrets.clickhouseUrl.variable}, which must list every host`;
    if (missing.length === replicas.length)
      findings.push(fault(`shard ${shard} is away: its websites can't be asked, and loading waits`, todo));
    else if (isQuorum) findings.push(warning(`${names} is away; loading goes on without it`, todo));
    else findings.push(fault(`${names} is away; loading waits for it, because of the quorum`, todo));
  }
  if (findings.length > 0) return findings;
  const shards = new Set(all.map(({ shard }) => shard)).size;
  const divided = dividedAmong(hosts[0]!.tables);
  return [
    ok(`all replicas are there (${many(shards, 'shard')}, ${many(all.length, 'replica')})`),
    ...(divided.length === 0
      ? []
      : [ok(`websites that are divided among all shards: ${divided.join(', ')}`)]),
  ];
}

const shown = ({ shard, replica, host, weight }: ClusterReplica) => [shard, replica, host, weight];

export function judgeReplicas({ hosts }: ClusterFacts): Finding[] {
  const findings: Finding[] = [];
  const tables = new Set(hosts.flatMap((host) => host.tables));
  const seen = new Map<string, string>();
  for (const { url, macros, tables: own, replicated } of hosts) {
    const { shard, replica } = macros;
    if (shard === undefined || replica === undefined) {
      findings.push(fault(`${url} lacks the macros shard and replica`, 'set both in its configuration'));
      continue;
    }
    const twin = seen.get(`${shard} ${replica}`);
    if (twin !== undefined)
      findings.push(
        fault(
          `${twin} and ${url} have the same macros (shard ${shard}, replica ${replica})`,
          'give each replica its own',
        ),
      );
    seen.set(`${shard} ${replica}`, url);
    const missing = [...tables].filter((table) => !own.includes(table));
    if (missing.length > 0)
      findings.push(
        fault(
          `${url} lacks ${missing.length} of ${tables.size} tables (${missing.slice(0, 3).join(', ')})`,
          'create them: see "A host that was replaced" in docs/cluster.md',
        ),
      );
    const readOnly = replicated.filter(({ isReadOnly }) => isReadOnly);
    if (readOnly.length > 0)
      findings.push(
        fault(
          `${url} can't write to ${readOnly.length} tables, because it has no connection to Keeper`,
          'check Keeper, and zookeeper in its configuration',
        ),
      );
    const delay = Math.max(0, ...replicated.map(({ delaySeconds }) => delaySeconds));
    if (delay > maxDelaySeconds)
      findings.push(warning(`${url} is ${delay} s behind the other replicas`, 'wait until it has caught up'));
  }
  if (tables.size === 0) return [...findings, warning('there are no tables yet', 'start a server')];
  return findings.length > 0 ? findings : [ok('all replicas have all tables and are in sync')];
}
