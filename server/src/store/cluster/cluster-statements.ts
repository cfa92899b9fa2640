import type { ClickHouseSettings } from '@clickhouse/client';
import type { StoreCluster } from './store-cluster.ts';

/** A statement for all hosts of a cluster, and the settings that it needs. */
export type ClusterStatement = { query: string; settings: ClickHouseSettings };

const name = '([a-z_\\d]+)';
const createTable = new RegExp(
  `^create table if not exists ${name}(?: as ${name})?\\s(.*?)\\bengine = (\\w+)(?:\\(([^\\n]*)\\))?(?=\\s|$)(.*)$`,
  's',
);
const createDatabase = /^create database if not exists (\w+) (engine = \w+)$/;
const createView = new RegExp(`^create view if not exists ${name} (as\\s.*)$`, 's');
const dropTable = new RegExp(`^drop table if exists ${name}(?: sync)?$`);
const alterTable = new RegExp(`^alter table ${name}\\s(.*)$`, 's');
/** These change rows. A replica that is away does the same when it is back. */
const changesRows = /^(?:delete|update|drop partition)\b/;
/** How a column is compressed concerns only the table with the rows. */
const changesColumns = /^(?:add column|modify column)\b(?!\s+\w+\s+codec\b)/;
/** Both are shorter than the time that a statement may take. */
const schemaSettings: ClickHouseSettings = {
  distributed_ddl_task_timeout: '25',
  distributed_ddl_output_mode: 'throw',
};
const rowSettings: ClickHouseSettings = {
  distributed_ddl_task_timeout: '10',
  distributed_ddl_output_mode: 'null_status_on_timeout',
};
/** Tables of which a website can have much: the rows of all of its visitors. */
const insertOfVisitors = /^(\s*insert into )(ended_visits|open_visits)\b/;
/**
 * A repeated INSERT of a batch is recognized for so long. The batch may have been the last one before an
 * outage, and other nodes may have loaded many in the meantime.
 */
const deduplication =
  'replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 2592000';

/**
 * Translates a statement for one host into statements for all hosts of a cluster. A table becomes two: its
 * rows are in a replicated table of each shard, and a distributed table in front of them has its name. So
 * questions and INSERTs stay as they are. A statement of another form is refused.
 */
export function toClusterStatements(statement: string, cluster: StoreCluster): ClusterStatement[] {
  const text = statement.replaceAll(/^\s*--.*$/gm, '').trim();
  if (/^insert\s/.test(text)) return [{ query: statement, settings: {} }];
  const statements =
    translateCreate(text, cluster) ??
    translateDatabase(text, cluster) ??
    translateView(text, cluster) ??
    translateDrop(text, cluster) ??
    translateAlter(text, cluster);
  if (statements === undefined)
    throw new Error(`expected a statement that can be translated for a cluster, got ${text.slice(0, 60)}`);
  return statements;
}

/** Lets an INSERT sort its rows onto the shards by visitor, if it is into a table that has visitors. */
export function insertByVisitor(statement: string, cluster: StoreCluster): string {
  return statement.replace(
    insertOfVisitors,
    (_, insert: string, table: string) => `${insert}${cluster.sortedOnto(table, 'visitor_id')}`,
  );
}

function translateCreate(text: string, cluster: StoreCluster): ClusterStatement[] | undefined {
  const match = createTable.exec(text);
  if (match === null) return undefined;
  const [, table = '', like, columns = '', engine = '', argument = '', rest = ''] = match;
  const { local, plain, everywhere } = cluster;
  const as = like === undefined ? '' : ` as ${local(like)}`;
  const head = `create table if not exists ${local(table)} ${everywhere}${as} ${columns.trim()}`;
  const key = /\bwebsite_id\b/.test(columns) || like !== undefined ? 'website_id' : 'number';
  const query = `${head}\nengine = ${cluster.engine(table, engine, argument)}${withWindow(table, rest)}`;
  return [
    { query, settings: schemaSettings },
    {
      query: `
        create table if not exists ${plain(table)} ${everywhere} as ${local(table)}
        engine = ${cluster.distributed(table, key)}`,
      settings: schemaSettings,
    },
  ];
}

/** Only batches of records are recognized. Everything else is inserted without deduplication. */
function withWindow(table: string, rest: string): string {
  return table === 'records' ? `${rest.trimEnd()},\n    ${deduplication}` : rest;
}

function translateDatabase(text: string, { everywhere }: StoreCluster): ClusterStatement[] | undefined {
  const match = createDatabase.exec(text);
  if (match === null) return undefined;
  const query = `create database if not exists ${match[1]} ${everywhere} ${match[2]}`;
  return [{ query, settings: schemaSettings }];
}

function translateView(text: string, { plain, everywhere }: StoreCluster): ClusterStatement[] | undefined {
  const match = createView.exec(text);
  if (match === null) return undefined;
  const [, view = '', rest = ''] = match;
  const query = `create view if not exists ${plain(view)} ${everywhere} ${rest}`;
  return [{ query, settings: schemaSettings }];
}

function translateDrop(
  text: string,
  { plain, local, everywhere }: StoreCluster,
): ClusterStatement[] | undefined {
  const table = dropTable.exec(text)?.[1];
  if (table === undefined) return undefined;
  return [plain(table), local(table)].map((one) => ({
    query: `drop table if exists ${one} ${everywhere} sync`,
    settings: schemaSettings,
  }));
}

function translateAlter(
  text: string,
  { plain, local, everywhere }: StoreCluster,
): ClusterStatement[] | undefined {
  const match = alterTable.exec(text);
  if (match === null) return undefined;
  const [, table = '', rest = ''] = match;
  const action = rest.trim();
  const settings = changesRows.test(action) ? rowSettings : schemaSettings;
  const altered = changesColumns.test(action) ? [local(table), plain(table)] : [local(table)];
  return altered.map((one) => ({ query: `alter table ${one} ${everywhere} ${action}`, settings }));
}
