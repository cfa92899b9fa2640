import { createHash } from 'node:crypto';
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
const shardColumn = (key: ShardKey) => `shard_of_tests UInt8 materialized ${key} % 2`;
const tablesOfVisitors = ['records_local', 'ended_visits_local', 'open_visits_local'];

/** What decides on the shard of a row. */
type ShardKey = 'website_id' | 'visitor_id';
const localTables = [
  'records_local',
  'closed_visits_local',
  'ended_visits_local',
  'open_visits_local',
  'closed_rollups_local',
  'open_rollups_local',
  'day_builds_local',
];

/** The marks of more websites than any test has. It takes the engine half a minute to create as many views. */
const allMarks = `
  select arrayJoin(arrayPushBack(
    arrayMap(id -> concat('website_', toString(id), '_by_visitor'), range(400)), 'store_identity'
  )) as name`;

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

/** Lets the rows of a website that are inserted from now on be on the shard that their visitor selects. */
export async function sortByVisitor(
  run: (question: { query: string }) => Promise<unknown>,
  websiteId: number,
): Promise<void> {
  const key = `if(website_id = ${websiteId}, visitor_id, website_id)` as ShardKey;
  for (const table of tablesOfVisitors)
    await run({ query: `alter table trackside.${table} modify column ${shardColumn(key)}` });
}

/** What a keeper and several machines would do: the engine has neither. */
function translate(statement: string, isDivided: boolean): string {
  if (isDivided && statement.includes("startsWith(name, 'website_')"))
    return `${allMarks} format JSONEachRow`;
  const keyOf = (columns: string) =>
    isDivided && /\bvisitor_id\b/.test(columns) ? 'visitor_id' : 'website_id';
  return statement
    .replaceAll(` on cluster '${clusterName}'`, '')
    .replace(
      /^(create table if not exists \S+\s*\()((?=.*\bwebsite_id\b).*)/s,
      (_, head: string, columns: string) => `${head}${shardColumn(keyOf(columns))}, ${columns}`,
    )
    .replaceAll(/Replicated(\w*MergeTree)\('[^']*', '\{replica\}'(?:, )?/g, '$1(');
}

/**
 * The engine takes rows for a table, and not for a table function. This is the table that the function would
 * make for its INSERT.
 */
function tableOfFunction(statement: string): { table: string; create: string; insert: string } | undefined {
  const [, of, key, rest] =
    /^insert into function cluster\('\w+', 'trackside', '(\w+)', (.*)\)( \([^()]*\) format \w+)$/.exec(
      statement,
    ) ?? [];
  if (of === undefined) return undefined;
  const table = `sorted_${createHash('md5').update(statement).digest('hex')}`;
  const create = `create table if not exists trackside.${table} as trackside.${of}
    engine = Distributed('${clusterName}', 'trackside', '${of}', ${key})`;
  return { table, create, insert: `insert into ${table}${rest}` };
}

/** Passes statements on to an engine as if it were a host of a cluster. */
export async function openTestCluster(
  engineOrigin: string,
  { isDivided }: { isDivided: boolean },
): Promise<{ origin: string; close(): void }> {
  const server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? '/', engineOrigin);
    const body = await readAll(incoming);
    const query = url.searchParams.get('query');
    if (query !== null) url.searchParams.set('query', translate(query, isDivided));
    if (url.pathname === '/') {
      url.searchParams.set('prefer_localhost_replica', '1');
    }
    const sent = query === null ? Buffer.from(translate(body.toString('latin1'), isDivided), 'latin1') : body;
    const { 'transfer-encoding': _, ...headers } = incoming.headers;
    const pass = (to: URL, bytes: Buffer, onAnswer: (answer: IncomingMessage) => void) => {
      // A connection that is used again could just have been closed.
      const outgoing = httpRequest(to, {
        agent: false,
        method: incoming.method,
        headers: { ...headers, 'content-length': bytes.length },
      });
      outgoing.on('error', () => response.destroy());
      outgoing.on('response', onAnswer);
      response.on('close', () => outgoing.destroy());
      outgoing.end(bytes);
    };
    const answer = (answered: IncomingMessage) => {
      response.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(response);
      answered.on('error', () => response.destroy());
    };
    const sorted = query === null ? undefined : tableOfFunction(query);
    if (sorted === undefined) return pass(url, sent, answer);
    url.searchParams.set('query', sorted.insert);
    pass(new URL('/', engineOrigin), Buffer.from(sorted.create), (created) => {
      if (created.statusCode !== 200) return answer(created);
      created.resume().once('end', () => pass(url, sent, answer));
    });
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
