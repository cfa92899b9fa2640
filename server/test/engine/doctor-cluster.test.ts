import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { checksOfCluster } from '../../src/commands/server/doctor/cluster/check-cluster.ts';
import { readConfig } from '../../src/config/read-config.ts';
import { systemClock } from '../../src/time/clock.ts';
import { outsideEnvironment } from '../support/outside-environment.ts';
import { clusterName } from '../support/test-cluster.ts';
import { openTestStore } from '../support/test-store.ts';

async function runChecks(...origins: string[]): Promise<string[]> {
  const environment = { ...outsideEnvironment(...origins), TRACKSIDE_CLICKHOUSE_CLUSTER: clusterName };
  const lines: string[] = [];
  for (const [name, run] of await checksOfCluster(readConfig({}, environment), systemClock))
    lines.push(...(await run()).map(({ state, says }) => `${name} ${state}: ${says}`));
  return lines;
}

test('doctor --cluster finds nothing wrong with a cluster that works, and leaves no table behind', async () => {
  const { store, address, close } = await openTestStore({ place: 'cluster-of-one' });
  try {
    assert.ok('outside' in address);
    const lines = await runChecks(...address.outside.hosts.urls);
    assert.deepEqual(
      lines.map((line) => line.replace(/\d+(?:\.\d+)+/, 'N')),
      [
        'hosts ok: all hosts answer (1 host with ClickHouse N)',
        'clock ok: the clocks of all hosts agree with this machine',
        'shards ok: all replicas are there (1 shard, 1 replica)',
        'replicas ok: all replicas have all tables and are in sync',
        'quorum ok: each shard has written a row to as many replicas as the quorum wants',
      ],
    );
    const query = `select name from system.tables where database = 'trackside' and name like 'doctor%'`;
    assert.deepEqual(await store.query({ query }), []);
  } finally {
    await close();
  }
});

/** Answers ClickHouse's HTTP interface as a host whose other replica is away. */
async function openBrokenHost() {
  const replica = { host: 'ch', weight: 1, isInternal: true };
  const answers: [pattern: RegExp, rows: object[]][] = [
    [
      /from system\.macros/,
      [['shard', '1'] as const, ['replica', '1'] as const].map(([macro, substitution]) => ({
        macro,
        substitution,
      })),
    ],
    [/from system\.tables/, [{ name: 'records' }, { name: 'records_local' }]],
    [
      /from system\.clusters/,
      [
        { ...replica, shard: 1, replica: 1, isHere: true },
        { ...replica, shard: 1, replica: 2, isHere: false },
      ],
    ],
    [
      /from system\.replicas/,
      [{ table: 'records_local', isReadOnly: true, delaySeconds: 0, replicas: 2, activeReplicas: 1 }],
    ],
    [/version\(\)/, [{ version: '26.3.1', ms: Date.now() + 60_000 }]],
    [/^select 1/, [{ 1: 1 }]],
    [/^(?:create|drop) table/, []],
  ];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const rows = answers.find(([pattern]) => pattern.test(text))?.[1];
    if (rows !== undefined) return response.end(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': '285' });
    response.end(
      'Code: 285. DB::Exception: Number of alive replicas (1) is less than requested quorum (2/2). (TOO_FEW_LIVE_REPLICAS)',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() };
}

test('doctor --cluster says what follows from a replica that is away', async () => {
  const host = await openBrokenHost();
  try {
    const lines = await runChecks(host.origin, 'http://127.0.0.1:1');
    assert.match(lines[0]!, /^hosts fault: http:\/\/127\.0\.0\.1:1 does not answer \(.*ECONNREFUSED/);
    assert.match(lines[1]!, /^clock warning: the clock of .+ is \d+\.\d s ahead$/);
    assert.equal(
      lines[2],
      'shards fault: replica 2 of shard 1 (ch) is away; loading waits for it, because of the quorum',
    );
    assert.match(lines[3]!, /^replicas fault: .+ has no connection to Keeper$/);
    assert.equal(
      lines[4],
      'quorum warning: writes wait, because too few replicas of a shard are there for the quorum',
    );
  } finally {
    host.close();
  }
});

test('doctor --cluster needs the name of a cluster', async () => {
  const config = readConfig({}, outsideEnvironment('http://127.0.0.1:1'));
  await assert.rejects(checksOfCluster(config, systemClock), /expected TRACKSIDE_CLICKHOUSE_CLUSTER to name/);
});
