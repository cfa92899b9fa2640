import { changeRecords, type Month, ofMonth, type RewriteOptions, settings } from './change-records.ts';
import type { StatementRunner } from './remove-rows.ts';

/** The columns of a record that have an address which can be encoded, and what shows that it may be. */
const marks = { path: '%', host: 'xn--' } as const;

export type AddressColumn = keyof typeof marks;

/** A path or a host as it is stored, and how many records of the month have it. */
export type StoredAddress = { address: string; records: number };

/** Some of the addresses that a month has in a column: those after one of them, in their order. */
export type EncodedPage = { month: Month; column: AddressColumn; after: string; limit: number };

/** The addresses of a month that change in a column. */
export type RewrittenAddresses = {
  month: Month;
  column: AddressColumn;
  changes: readonly { from: string; to: string }[];
};

/** Lists the addresses of a month that may be encoded. */
export async function listEncoded(
  runner: StatementRunner,
  { month, column, after, limit }: EncodedPage,
): Promise<StoredAddress[]> {
  return await runner.query<StoredAddress>({
    query: `
      select toString(${column}) as address, count() as records
      from records
      where ${ofMonth} and position(${column}, '${marks[column]}') > 0 and ${column} > {after:String}
      group by address
      order by address
      limit {limit:UInt32}`,
    params: { month, after, limit },
    settings,
  });
}

/** Writes other addresses into the records of a month. */
export async function rewriteAddresses(
  runner: StatementRunner,
  { month, column, changes }: RewrittenAddresses,
  options?: RewriteOptions,
): Promise<void> {
  const change = {
    condition: `${ofMonth} and ${column} in {from:Array(String)}`,
    values: `
      ${column} = transform(
        toString(${column}), {from:Array(String)}, {to:Array(String)}, toString(${column})
      )`,
    params: { month, from: changes.map(({ from }) => from), to: changes.map(({ to }) => to) },
  };
  await changeRecords(runner, change, options);
}
