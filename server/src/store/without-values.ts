import { ClickHouseError } from '@clickhouse/client';
import { full, SystemFaultError } from '../files/system-fault.ts';

const shownCharacters = 300;
const notEnoughSpace = '243';

/**
 * Makes a fault of the store safe for the log. ClickHouse's messages quote rows and values, such as what
 * someone filters by. Our own statements contain a name instead of each value. A full disk is the operator's to
 * mend, and no statement helps with that. `store` says where it is.
 */
export function withoutValues(error: unknown, statement: string, store: string): unknown {
  if (!(error instanceof ClickHouseError)) return error;
  const { code, type } = error;
  const ofType = { code, ...(type !== undefined && { type }) };
  if (code === notEnoughSpace) {
    const cause = new SystemFaultError(full(store));
    return Object.assign(new ClickHouseError({ message: cause.message, ...ofType }), { cause });
  }
  const text = statement.replaceAll(/\s+/g, ' ').trim();
  const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
  const message = `the store answered ${type ?? 'an error'} (code ${code}) to: ${shown}`;
  return new ClickHouseError({ message, ...ofType });
}
