import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ClusterHost } from '../../../../store/read-cluster-host.ts';
import type { Finding } from '../finding.ts';
import { type ClusterFacts, judgeClocks, judgeHosts, judgeReplicas, judgeShards } from './judge-cluster.ts';
import { judgeCopies } from './try-quorum.ts';

const places = [
  { shard: 1, replica: 1 },
  { shard: 1, replica: 2 },
  { shard: 2, replica: 1 },
  { shard: 2, replica: 2 },
];

function hostAt(at: number, changes: Partial<ClusterHost> = {}): ClusterHost {
  const { shard, replica } = places[at]!;
  return {
    url: `http://ch${at}:8123`,
    version: '26.3',
    clockAheadMs: 3,
    replicas: places.map((place, index) => ({
      ...place,
      host: `ch${index}`,
      weight: 1,
      isHere: index === at,
      isInternal: true,
    })),
    macros: { shard: String(shard), replica: String(replica) },
    tables: ['records', 'records_local'],
    replicated: [
      { table: 'records_local', isReadOnly: false, delaySeconds: 0, replicas: 2, activeReplicas: 2 },
    ],
    ...changes,
  };
}

function factsOf(hosts: readonly ClusterHost[], changes: Partial<ClusterFacts> = {}): ClusterFacts {
  const away = places.flatMap((_, at) => {
    const url = `http://ch${at}:8123`;
    return hosts.some((host) => host.url === url) ? [] : [{ url, why: 'ECONNREFUSED' }];
  });
  return { name: 'eu', quorum: 'auto', hosts, away, ...changes };
}

const all = () => places.map((_, at) => hostAt(at));
const shown = (findings: readonly Finding[]) => findings.map(({ state, says }) => `${state}: ${says}`);

test('a cluster whose hosts are all there and in sync is fine', () => {
  const facts = factsOf(all());
  const judged = [judgeHosts, judgeClocks, judgeShards, judgeReplicas].flatMap((judge) =>
    shown(judge(facts)),
  );
  assert.deepEqual(judged, [
    'ok: all hosts answer (4 hosts with ClickHouse 26.3)',
    'ok: the clocks of all hosts agree with this machine',
    'ok: all replicas are there (2 shards, 4 replicas)',
    'ok: all replicas have all tables and are in sync',
  ]);
});

test('names the websites that are divided', () => {
  const tables = ['records', 'website_9_by_visitor', 'website_10_by_visitor', 'website_9_on_all_shards'];
  const hosts = places.map((_, at) => hostAt(at, { tables }));
  assert.deepEqual(shown(judgeShards(factsOf(hosts))).slice(1), [
    'ok: websites that are divided among all shards: 9, 10',
  ]);
});

test('a replica that is away stops loading only if the quorum needs it', () => {
  const hosts = all().slice(0, 3);
  assert.match(shown(judgeHosts(factsOf(hosts))).join(), /^fault: http:\/\/ch3:8123 does not answer/);
  assert.deepEqual(shown(judgeShards(factsOf(hosts))), [
    'fault: replica 2 of shard 2 (ch3) is away; loading waits for it, because of the quorum',
  ]);
  assert.deepEqual(shown(judgeShards(factsOf(hosts, { quorum: '1' }))), [
    'warning: replica 2 of shard 2 (ch3) is away; loading goes on without it',
  ]);
});

test('a shard that is away is named', () => {
  assert.deepEqual(shown(judgeShards(factsOf(all().slice(2)))), [
    "fault: shard 1 is away: its websites can't be asked, and loading waits",
  ]);
});

test('a host that no URL leads to is named', () => {
  const [finding] = judgeShards(factsOf(all().slice(0, 3), { away: [] }));
  assert.match(finding!.todo!, /TRACKSIDE_CLICKHOUSE_URL, which must list every host/);
});

test('reports hosts that are set up differently', () => {
  const [first, second, ...others] = all();
  const hosts = (changes: Partial<ClusterHost>) => [first!, { ...second!, ...changes }, ...others];
  const reports = (judge: typeof judgeShards, changes: Partial<ClusterHost>) =>
    shown(judge(factsOf(hosts(changes)))).join('\n');
  assert.match(reports(judgeHosts, { version: '25.8' }), /^warning: .+different versions \(25.8, 26.3\)/);
  assert.match(reports(judgeClocks, { clockAheadMs: -2500 }), /^warning: .+ch1:8123 is 2.5 s behind/);
  assert.match(reports(judgeShards, { replicas: [] }), /^fault: .+ch1:8123 has no cluster "eu"/);
  assert.match(reports(judgeShards, { replicas: second!.replicas.slice(1) }), /have different hosts/);
  assert.match(reports(judgeReplicas, { macros: {} }), /^fault: .+lacks the macros/);
  assert.match(reports(judgeReplicas, { macros: first!.macros }), /^fault: .+have the same macros/);
  assert.match(reports(judgeReplicas, { tables: ['records'] }), /lacks 1 of 2 tables \(records_local\)/);
  const [table] = second!.replicated;
  assert.match(
    reports(judgeReplicas, { replicated: [{ ...table!, delaySeconds: 6 }] }),
    /^warning: .+6 s behind/,
  );
  assert.match(reports(judgeReplicas, { replicated: [{ ...table!, isReadOnly: true }] }), /^fault: .+Keeper/);
  const isInternal = false;
  const external = all().map((host) => ({
    ...host,
    replicas: host.replicas.map((replica) => ({ ...replica, isInternal })),
  }));
  assert.match(shown(judgeShards(factsOf(external))).join(), /internal_replication is off/);
});

test('reports a write that was answered before the quorum had it', () => {
  const of = (copies: number) => shown(judgeCopies([{ shard: 1, copies, quorum: 2 }])).join();
  assert.match(of(2), /^ok: /);
  assert.match(of(1), /^fault: shard 1 has answered a write that 1 of its replicas have/);
});
