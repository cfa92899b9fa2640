import type { RawInsertSummary, Session } from 'chdb';
import { settingText } from './setting-text.ts';
import type { InsertStatement } from './statement-text.ts';

type Settings = ReadonlyMap<string, string>;

/** Smaller inserts wait longer for the additional statements than they save. */
const leastStagedBytes = 64 * 1024;
const staged = 'staged_rows';
const [dictionary, withoutDictionary] = ['LowCardinality(String)', 'String'];

/**
 * Inserts rows on a session that nobody else uses. chDB looks up every value of a LowCardinality column in its
 * dictionary while it reads the rows, which takes as long as everything else about them. So many rows are read
 * into plain columns in memory first, and one statement copies them, which is fast for whole columns.
 */
export async function insertRows(
  session: Session,
  into: InsertStatement,
  rows: Buffer,
  settings: Settings,
): Promise<RawInsertSummary> {
  const plain = rows.length < leastStagedBytes ? undefined : await findPlainColumns(session, into);
  if (plain === undefined) return await insertDirectly(session, into, rows, settings);
  try {
    await session.queryAsync(
      `create or replace temporary table ${staged} (${plain.join(', ')}) engine = Memory`,
    );
    const summary = await insertDirectly(session, { ...into, table: staged }, rows, settings);
    const columns = into.columns!.join(', ');
    // With one thread, the rows stay one block, and so become one part.
    const copied = [...settings, ['max_threads', '1'] as const].map(([name, value]) =>
      settingText(name, value),
    );
    await session.queryAsync(
      `insert into ${into.table} (${columns}) select ${columns} from ${staged} settings ${copied.join(', ')}`,
    );
    return summary;
  } finally {
    // A failed statement keeps its memory until the next one on the session, which this is.
    await session.queryAsync(`drop temporary table if exists ${staged}`).catch(() => {});
  }
}

async function insertDirectly(
  session: Session,
  { table, columns, format }: InsertStatement,
  rows: Buffer,
  settings: Settings,
): Promise<RawInsertSummary> {
  return await session.insert({
    table,
    values: rows,
    format,
    ...(columns && { columns }),
    settings: Object.fromEntries(settings),
  });
}

/**
 * Returns definitions of the columns without dictionaries. Undefined if there are none, or if a value may be
 * missing in a row: only the table itself knows what to put in its place.
 */
async function findPlainColumns(
  session: Session,
  { table, columns, format }: InsertStatement,
): Promise<string[] | undefined> {
  if (columns === undefined || format !== 'JSONCompactEachRow') return undefined;
  const [name, database] = table.split('.').toReversed();
  const inDatabase = database === undefined ? 'currentDatabase()' : `'${database}'`;
  // Other engines send rows elsewhere, and may do so in another way if they are copied.
  const result = await session.queryAsync(
    `select name, type from system.columns where database = ${inDatabase} and table = '${name}' and exists (
       select 1 from system.tables where database = ${inDatabase} and name = '${name}' and engine = 'MergeTree')`,
    { format: 'JSONCompactEachRow' },
  );
  const lines = result.text().split('\n').slice(0, -1);
  const types = new Map(lines.map((line) => JSON.parse(line) as [name: string, type: string]));
  const known = columns.map((column) => types.get(column));
  if (!known.every((type) => type !== undefined) || !known.some((type) => type.includes(dictionary)))
    return undefined;
  return columns.map((column) => `${column} ${types.get(column)!.replaceAll(dictionary, withoutDictionary)}`);
}
