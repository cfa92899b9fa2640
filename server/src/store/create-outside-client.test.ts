import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createStoreCluster } from './cluster/store-cluster.ts';
import { createOutsideClient } from './create-outside-client.ts';
import { createStoreHosts } from './create-store-hosts.ts';

test('goes on to the next host if one has no connections, unless a shard of a cluster is away', async (t) => {
  const server = createServer((_, response) => {
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': '279' });
    response.end('Code: 279. DB::NetException: All connection tries failed. (ALL_CONNECTION_TRIES_FAILED)');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const first = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const next = 'http://127.0.0.1:1';
  const askedAfter = async (clusterName?: string) => {
    const hosts = createStoreHosts([first, next]);
    const cluster = clusterName ? createStoreCluster({ name: clusterName, quorum: 'auto' }) : undefined;
    const client = createOutsideClient(
      { hosts, user: 'default', password: '', caPem: undefined, maxStatementBytes: 1e9, cluster },
      {},
    );
    await assert.rejects(client.query({ query: 'select 1' }), { code: '279' });
    await client.close();
    return hosts.current();
  };
  assert.equal(await askedAfter(), next);
  assert.equal(await askedAfter('eu'), first);
});
