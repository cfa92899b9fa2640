import { queryRows, type StoreClient } from './create-store-client.ts';

/** One of the folders that the files of a table are in. */
export type StorePart = { table: string; name: string; partition: string; rows: number };

/** A part that the engine could not open and has set aside. */
export type BrokenPart = { table: string; name: string; path: string };

export async function listParts(client: StoreClient): Promise<StorePart[]> {
  const query = `
    select table, name, partition, rows
    from system.parts
    where active and database = currentDatabase()
    order by table, name`;
  return await queryRows<StorePart>(client, { query });
}

export async function listBrokenParts(client: StoreClient): Promise<BrokenPart[]> {
  const query = `
    select table, name, path
    from system.detached_parts
    where database = currentDatabase() and startsWith(reason, 'broken')
    order by table, name`;
  return await queryRows<BrokenPart>(client, { query });
}

/**
 * Reads an entire part, compares it with its checksums, and returns what is wrong. A part that is gone is
 * fine.
 */
export async function checkPart(
  client: StoreClient,
  part: Pick<StorePart, 'table' | 'name'>,
): Promise<string | undefined> {
  const { table, name } = part;
  const query = `
    check table ${nameOf(table)} part '${nameOf(name)}'
    settings check_query_single_value_result = 0, max_threads = 1`;
  try {
    const rows = await queryRows<{ is_passed: number; message: string }>(client, { query });
    const fault = rows.find(({ is_passed }) => !is_passed)?.message;
    return fault !== undefined && (await isActive(client, part)) ? fault : undefined;
  } catch (error) {
    if (await isActive(client, part)) throw error;
    return undefined;
  }
}

/** False when the part was merged into another one, or dropped, since it was listed. */
async function isActive(
  client: StoreClient,
  { table, name }: Pick<StorePart, 'table' | 'name'>,
): Promise<boolean> {
  return (await listParts(client)).some((part) => part.table === table && part.name === name);
}

/** Returns how often a statement met damaged files since the engine started. */
export async function countDamageMet(client: StoreClient): Promise<number> {
  const query = `
    select sum(value) as times
    from system.errors
    where name in ('CHECKSUM_DOESNT_MATCH', 'CORRUPTED_DATA', 'CANNOT_DECOMPRESS', 'CANNOT_READ_ALL_DATA')`;
  const [row] = await queryRows<{ times: number }>(client, { query });
  return row?.times ?? 0;
}

/** Tables and parts can't be bound parameters, so make sure that only a valid name gets into the text. */
export function nameOf(name: string): string {
  if (!/^[\w-]+$/.test(name))
    throw new Error(`expected the name of a table or a part, got ${JSON.stringify(name)}`);
  return name;
}
