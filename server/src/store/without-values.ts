import { ClickHouseError } from '@clickhouse/client';

const shownCharacters = 300;

/**
 * Makes a fault of the store safe for the log. ClickHouse's messages quote rows and values, such as what
 * someone filters by. Our own statements contain a name instead of each value.
 */
export function withoutValues(error: unknown, statement: string): unknown {
  if (!(error instanceof ClickHouseError)) return error;
  const { code, type } = error;
  const text = statement.replaceAll(/\s+/g, ' ').trim();
  const shown = text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;
  const message = `the store answered ${type ?? 'an error'} (code ${code}) to: ${shown}`;
  return new ClickHouseError({ message, code, ...(type !== undefined && { type }) });
}
