import { ClickHouseError } from '@clickhouse/client';
import { memoryCode } from './is-out-of-memory.ts';
import { nameOf, type StorePart } from './parts.ts';
import type { StatementRunner } from './remove-rows.ts';

/** Rows of a part by their place in it. `to` isn't included. */
type Stretch = { from: number; to: number };

type CopyOptions = {
  /** The table that the rows are copied into. */
  into: string;
  /** A condition that leaves out rows that aren't needed. */
  condition: string;
  params: Record<string, unknown>;
};

/** The number of rows that are copied at once, as long as nothing is damaged. */
const mostRows = 65_536;
/** The error codes of reading damaged files. Most other errors say nothing about the part. */
const damageCodes = new Set('32 33 39 40 49 107 117 226 228 246 271 432 586'.split(' '));
/** Needs more memory than the rows of a granule do, which are about 10 MB. */
const allocateMemory = `select length(repeat(materialize(repeat('x', 1024)), 65536)) as bytes`;

/**
 * Copies the rows of a damaged part that can be read.
 *
 * Meeting damage is expensive: the engine looks for a single bit that explains a wrong checksum, and that
 * takes seconds for 64 KiB and minutes for a larger block. So damage is met once in a group of granules, and
 * once in each damaged granule. The engine reads a granule from its beginning: if the first row can't be
 * read, no row of it can.
 */
export async function copyReadableRows(
  runner: StatementRunner,
  part: StorePart,
  { into, condition, params }: CopyOptions,
): Promise<void> {
  const name = nameOf(part.name);
  const place = ({ from, to }: Stretch): string =>
    `_part = '${name}' and _part_offset >= ${from} and _part_offset < ${to}`;

  /** The rows are one block, so that a statement that fails has written nothing. */
  const copy = (rows: Stretch): Promise<boolean> =>
    isReadable(runner, () =>
      runner.run({
        query: `
          insert into ${nameOf(into)}
          settings insert_deduplicate = 0, max_insert_threads = 1, min_insert_block_size_bytes = 0,
            min_insert_block_size_rows = ${2 * mostRows}
          select * from records
          where ${place(rows)} and ${condition}
          settings max_threads = 1`,
        params,
      }),
    );
  const canReadFirstRow = ({ from }: Stretch): Promise<boolean> =>
    isReadable(runner, async () => {
      await runner.query({ query: `select * from records where ${place({ from, to: from + 1 })}` });
    });

  /** The values of a granule can fill several blocks, and the rows before a damaged one can be read. */
  async function copyBeginning({ from, to }: Stretch): Promise<void> {
    while (to - from > 1) {
      const middle = Math.floor((from + to) / 2);
      if (await copy({ from, to: middle })) from = middle;
      else to = middle;
    }
  }

  for (const granules of groupGranules(await listGranules(runner, part))) {
    if (await copy({ from: granules[0]!.from, to: granules.at(-1)!.to })) continue;
    for (const granule of granules)
      if ((await canReadFirstRow(granule)) && !(await copy(granule))) await copyBeginning(granule);
  }
}

/**
 * A damaged size makes the engine ask for up to 1 GiB. It is only taken for damage if the engine has memory
 * for a granule, which it may not have while others use it.
 */
async function isReadable(runner: StatementRunner, read: () => Promise<void>): Promise<boolean> {
  const fault = await findFault(read);
  if (fault !== memoryCode) return fault === undefined;
  await runner.query({ query: allocateMemory });
  return (await findFault(read)) === undefined;
}

/** Returns the code of an error that damage can cause, or undefined if there was none. */
export async function findFault(read: () => Promise<void>): Promise<string | undefined> {
  try {
    await read();
    return undefined;
  } catch (error) {
    if (!(error instanceof ClickHouseError)) throw error;
    if (error.code !== memoryCode && !damageCodes.has(error.code)) throw error;
    return error.code;
  }
}

/**
 * The engine has the sizes of granules in memory, so that damaged files don't matter here. They must cover
 * the entire part: rows that aren't in any of them would be lost.
 */
async function listGranules(runner: StatementRunner, { name, rows }: StorePart): Promise<Stretch[]> {
  const sizes = await runner.query<{ rows: number }>({
    query: `
      select rows_in_granule as rows
      from mergeTreeIndex(currentDatabase(), records)
      where part_name = {name:String} and rows_in_granule > 0
      order by mark_number`,
    params: { name },
  });
  const granules: Stretch[] = [];
  let from = 0;
  for (const size of sizes) {
    granules.push({ from, to: from + size.rows });
    from += size.rows;
  }
  if (from !== rows)
    throw new Error(`part ${name} of the records: expected ${rows} rows, got granules of ${from} rows`);
  return granules;
}

function groupGranules(granules: readonly Stretch[]): Stretch[][] {
  const groups: Stretch[][] = [];
  for (const granule of granules) {
    const group = groups.at(-1);
    if (group !== undefined && granule.to - group[0]!.from <= mostRows) group.push(granule);
    else groups.push([granule]);
  }
  return groups;
}
