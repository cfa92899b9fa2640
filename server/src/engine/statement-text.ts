import { EngineError, faults } from './engine-error.ts';

export type InsertStatement = { table: string; columns: string[] | undefined; format: InsertFormat };
export type InsertFormat = 'JSONCompactEachRow' | 'JSONEachRow' | 'TabSeparated';

const insertFormats: readonly string[] = ['JSONCompactEachRow', 'JSONEachRow', 'TabSeparated'];
const identifier = /^[A-Za-z_]\w*$/;
const tableName = String.raw`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?)`;
const columnList = String.raw`(?:\(([^()]*)\)\s*)?`;
const insertShape = new RegExp(
  String.raw`^\s*insert\s+into\s+(?:table\s+)?${tableName}\s*${columnList}format\s+(\w+)\s*$`,
  'i',
);

export function isInsert(sql: string): boolean {
  return /^\s*insert\s/i.test(sql);
}

/** Accepts exactly one form of INSERT, the one that can be followed by rows. Everything else is refused. */
export function parseInsert(sql: string): InsertStatement {
  const match = insertShape.exec(sql);
  if (match === null) {
    throw new EngineError(
      faults.notImplemented,
      'expected INSERT INTO table (columns) FORMAT name with the rows in the body, ' +
        'got another statement with a body.',
    );
  }
  const [, table = '', columnList, format = ''] = match;
  if (!isInsertFormat(format)) {
    throw new EngineError(
      faults.notImplemented,
      `expected rows as ${insertFormats.join(', ')}, got ${format.slice(0, 40)}.`,
    );
  }
  const columns = columnList?.split(',').map((column) => column.trim().replace(/^([`"])(.*)\1$/, '$2'));
  const wrong = columns?.find((column) => !identifier.test(column));
  if (wrong !== undefined) {
    throw new EngineError(
      faults.badArguments,
      `expected a column name, got ${JSON.stringify(wrong.slice(0, 40))}.`,
    );
  }
  return { table, columns, format };
}

function isInsertFormat(format: string): format is InsertFormat {
  return insertFormats.includes(format);
}

/** Rows inside the SQL text would be parsed as SQL first. They have their own place in the request. */
export function hasInlineRows(sql: string): boolean {
  return isInsert(sql) && /\sformat\s+(?!values\b)\w+/i.test(sql) && !/\sselect\s/i.test(sql);
}

const before = String.raw`^(?:\s+|--[^\n]*\n|/\*[\s\S]*?\*/)*`;
const selectStart = new RegExp(String.raw`${before}(?:select|with)\b`, 'i');
const changeStart = new RegExp(
  String.raw`${before}(?:create|alter|drop|rename|exchange|attach|detach)\b`,
  'i',
);

/** Only these can be read chunk by chunk. */
export const isSelect = (sql: string): boolean => selectStart.test(sql);

/** Whether a statement may change the definition of a table. */
export const changesTables = (sql: string): boolean => changeStart.test(sql);

/** Returns the FORMAT clause at the end, which ClickHouse's client appends to every SELECT. */
export function formatOf(sql: string): string | undefined {
  return /\sformat\s+(\w+)\s*;?\s*$/i.exec(sql)?.[1];
}

export function mentionsParameter(sql: string, name: string): boolean {
  return new RegExp(`\\{\\s*${name}\\s*:`).test(sql);
}
