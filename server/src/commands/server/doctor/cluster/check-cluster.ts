import type { Config } from '../../../../config/config.ts';
import { clickhouseClusterVariable } from '../../../../config/variables.ts';
import { type ClusterHost, readClusterHost } from '../../../../store/read-cluster-host.ts';
import type { Clock } from '../../../../time/clock.ts';
import { CommandError } from '../../../command.ts';
import { readOutsideStore } from '../../../parts/read-outside-store.ts';
import type { Finding } from '../finding.ts';
import { type ClusterFacts, judgeClocks, judgeHosts, judgeReplicas, judgeShards } from './judge-cluster.ts';
import { tryQuorum } from './try-quorum.ts';

type Check = [name: string, run: () => Promise<Finding[]>];

/** The checks of a ClickHouse cluster. All of its hosts are asked first. */
export async function checksOfCluster(config: Config, clock: Pick<Clock, 'now'>): Promise<Check[]> {
  const outside = readOutsideStore(config);
  const cluster = outside?.cluster;
  if (outside === undefined || cluster === undefined)
    throw new CommandError(
      `--cluster: expected ${clickhouseClusterVariable} to name the cluster to check, got nothing`,
    );
  const hosts: ClusterHost[] = [];
  const away: { url: string; why: string }[] = [];
  await Promise.all(
    outside.hosts.urls.map(async (url) => {
      try {
        hosts.push(await readClusterHost(outside, cluster, url, clock));
      } catch (error) {
        away.push({ url, why: error instanceof Error ? error.message : String(error) });
      }
    }),
  );
  const { urls } = outside.hosts;
  hosts.sort((a, b) => urls.indexOf(a.url) - urls.indexOf(b.url));
  const facts: ClusterFacts = { name: cluster.name, quorum: cluster.quorum, hosts, away };
  return [
    ['hosts', async () => judgeHosts(facts)],
    ['clock', async () => judgeClocks(facts)],
    ['shards', async () => judgeShards(facts)],
    ['replicas', async () => judgeReplicas(facts)],
    ['quorum', () => tryQuorum(outside, facts)],
  ];
}
