import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export const clusterName = 'of_tests';

/** The rows of a shard: those that the distributed tables send there. All shards share their tables. */
const ofShard = 'shardNum() = 0 or shard_of_tests = toInt64(shardNum()) - 1';
/**
 * Statements are filtered by website_id. The engine drops a column after a policy that needs it, and doesn't
 * find it for that filter then, so the policy has a column of its own.
 */
const shardColumn = 'shard_of_tests UInt8 materialized website_id % 2';
const localTables = [
  'records_local',
  'closed_visits_local',
  'ended_visits_local',
  'open_visits_local',
  'closed_rollups_local',
  'open_rollups_local',
  'day_builds_local',
];

/**
 * Lets an engine know a cluster of shards, each of which is the engine itself. ClickHouse then runs the
 * part of a statement that is for a shard within its own process, and needs no connection.
 */
export function configureCluster(storeFolder: string, shards: 1 | 2): void {
  const folder = join(`${storeFolder}.run`, 'config.d');
  const shard = `<shard><internal_replication>true</internal_replication>
    <replica><host>127.0.0.1</host><port>9000</port></replica></shard>`;
  const policies = (shards === 1 ? [] : localTables).map(
    (table) => `<${table}><filter>${ofShard}</filter></${table}>`,
  );
  const file = join(folder, 'cluster.xml');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    file,
    `<clickhouse><tcp_port>9000</tcp_port><macros><shard>1</shard><replica>1</replica></macros><users_config>${file}</users_config>
      <remote_servers><${clusterName}>${shard.repeat(shards)}</${clusterName}></remote_servers>
      <profiles><default/></profiles><quotas><default/></quotas>
      <users><default><password/><networks><ip>::/0</ip></networks>
        <databases><trackside>${policies.join('')}</trackside></databases>
      </default></users></clickhouse>`,
  );
}

/** What a keeper and several machines would do: the engine has neither. */
function translate(statement: string): string {
  return statement
    .replaceAll(` on cluster '${clusterName}'`, '')
    .replace(/^(create table if not exists \S+\s*\()(?=.*\bwebsite_id\b)/s, `$1${shardColumn}, `)
    .replaceAll(/Replicated(\w*MergeTree)\('[^']*', '\{replica\}'(?:, )?/g, '$1(');
}

/** Passes statements on to an engine as if it were a host of a cluster. */
export async function openTestCluster(engineOrigin: string): Promise<{ origin: string; close(): void }> {
  const server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? '/', engineOrigin);
    const body = await readAll(incoming);
    const query = url.searchParams.get('query');
    if (query !== null) url.searchParams.set('query', translate(query));
    if (url.pathname === '/') {
      url.searchParams.set('prefer_localhost_replica', '1');
    }
    const sent = query === null ? Buffer.from(translate(body.toString('latin1')), 'latin1') : body;
    const { 'transfer-encoding': _, ...headers } = incoming.headers;
    const outgoing = httpRequest(url, {
      // A connection that is used again could just have been closed.
      agent: false,
      method: incoming.method,
      headers: { ...headers, 'content-length': sent.length },
    });
    outgoing.on('error', () => response.destroy());
    outgoing.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
    });
    response.on('close', () => outgoing.destroy());
    outgoing.end(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
