import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RawInsertSummary, Session } from 'chdb';
import { toEngineError } from './engine-error.ts';
import { quoted, settingText } from './setting-text.ts';
import type { InsertStatement } from './statement-text.ts';
import type { Column, TableColumns } from './table-columns.ts';

type Settings = ReadonlyMap<string, string>;
export type InsertSummary = Pick<RawInsertSummary, 'rowsWritten' | 'bytesWritten' | 'elapsed'>;

export type InsertOptions = {
  /** Where a table is looked for if the statement doesn't say. */
  database: string;
  settings: Settings;
  tables: TableColumns;
  /** Only this process writes to it. */
  ownFolder: string;
};

/** For fewer rows, working out the statement takes longer than it saves. */
const leastStagedBytes = 512 * 1024;
const stagedName = /^staged-rows-\d+$/;
let stagedFiles = 0;

export const isStagedFile = (name: string): boolean => stagedName.test(name);

/**
 * Inserts rows on a session that nobody else uses. chDB takes most of the time of an INSERT for reading its
 * rows. It reads the lines of a file, and JSON inside a text, in a third of that time. So many rows are written
 * into a file first.
 */
export async function insertRows(
  session: Session,
  into: InsertStatement,
  rows: Buffer,
  options: InsertOptions,
): Promise<InsertSummary> {
  const { settings, ownFolder } = options;
  const columns = rows.length < leastStagedBytes ? undefined : await findColumns(session, into, options);
  if (columns === undefined || hasWildcard(ownFolder))
    return await insertDirectly(session, into, rows, settings);
  stagedFiles += 1;
  const file = join(ownFolder, `staged-rows-${stagedFiles}`);
  try {
    // Without space for the file, there may still be enough for the rows, which chDB compresses.
    const isWritten = await writeFile(file, rows).then(
      () => true,
      () => false,
    );
    const elapsed = isWritten
      ? await insertLines(session, { table: into.table, columns, file }, settings)
      : undefined;
    if (elapsed === undefined) return await insertDirectly(session, into, rows, settings);
    return { rowsWritten: countLines(rows), bytesWritten: rows.length, elapsed };
  } finally {
    await rm(file, { force: true });
  }
}

async function insertDirectly(
  session: Session,
  { table, columns, format }: InsertStatement,
  rows: Buffer,
  settings: Settings,
): Promise<InsertSummary> {
  return await session.insert({
    table,
    values: rows,
    format,
    ...(columns && { columns }),
    settings: Object.fromEntries(settings),
  });
}

const conversionFaults: readonly number[] = [
  349, // CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN
  395, // FUNCTION_THROW_IF_VALUE_IS_NON_ZERO
];

function countLines(rows: Buffer): number {
  let lines = 0;
  for (let at = 0; at < rows.length; lines += 1) {
    const end = rows.indexOf('\n', at);
    at = end < 0 ? rows.length : end + 1;
  }
  return lines;
}

/**
 * Inserts each line of a file as one row, and returns how many seconds that took. Returns undefined, and inserts
 * nothing, if a line isn't exactly what the columns expect: then the rows have to be read one by one, by which
 * it becomes known what is wrong.
 */
async function insertLines(
  session: Session,
  { table, columns, file }: { table: string; columns: readonly Column[]; file: string },
  settings: Settings,
): Promise<number | undefined> {
  // What can't be read is null, and so is the value behind the last one. Anything else there is one too many.
  const types = [...columns.map(({ type }) => orNull(type)), 'Nullable(String)'];
  const values = columns.map((_, at) => `value.${at + 1}`);
  const used = new Map([
    ...settings,
    // One block, and so one part, whatever the client asks for: after a fault, all rows are inserted again.
    ['max_threads', '1'],
    ['min_insert_block_size_rows', String(2 ** 32)],
    ['min_insert_block_size_bytes', '0'],
    ['insert_null_as_default', '0'],
  ]);
  const sql = `insert into ${table} (${columns.map(({ name }) => name).join(', ')})
    select ${values.join(', ')} from (
      select JSONExtract(line, ${quoted(`Tuple(${types.join(', ')})`)}) as value
      from file(${quoted(file)}, LineAsString, 'line String'))
    where throwIf(value.${types.length} is not null, 'more values than columns') = 0
    settings ${[...used].map(([name, value]) => settingText(name, value)).join(', ')}`;
  try {
    return (await session.queryAsync(sql)).elapsed;
  } catch (error) {
    // All rows are read before the first one is written, so nothing is.
    if (conversionFaults.includes(toEngineError(error).code)) return undefined;
    // A failed statement keeps its memory until the next one on the session, which this is.
    await session.queryAsync('select 1').catch(() => {});
    throw error;
  }
}

const readableTypes =
  /^(?:String|LowCardinality\(String\)|U?Int(?:8|16|32|64)|Bool|Date|DateTime(?:64)?(?:\([^()]*\))?|Enum8\([^()]*\)|Array\((?:String|LowCardinality\(String\))\))$/;

/** For a type that `readableTypes` matches. Values are looked up in a dictionary later, whole columns at once. */
function orNull(type: string): string {
  const plain = type.replace('LowCardinality(String)', 'String');
  return plain.startsWith('Array') ? 'Array(Nullable(String))' : `Nullable(${plain})`;
}

/** In a path, chDB takes these for patterns of names. */
function hasWildcard(path: string): boolean {
  return /[*?{}]/.test(path);
}

/**
 * Returns the columns with their types. Undefined if a value may be missing in a row, because only the table
 * itself knows what to put in its place, or if a type has values that JSON writes in more than one way.
 */
async function findColumns(
  session: Session,
  { table, columns, format }: InsertStatement,
  { database, tables }: InsertOptions,
): Promise<Column[] | undefined> {
  if (columns === undefined || format !== 'JSONCompactEachRow') return undefined;
  const [name, inDatabase = database] = table.split('.').toReversed();
  const listed = await tables.list(session, inDatabase, name!);
  const types = new Map(listed.map(({ name, type }) => [name, type]));
  const found = columns.map((column) => ({ name: column, type: types.get(column) ?? '' }));
  return found.every(({ type }) => readableTypes.test(type)) ? found : undefined;
}
