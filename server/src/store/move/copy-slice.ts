import { TupleParam } from '@clickhouse/client';
import { recordColumns } from '../../records/record-columns.ts';
import { onDay } from './list-contents.ts';
import type { MoveStore } from './move-store.ts';

/** Whole days of websites. */
export type DaysSlice = { days: readonly { websiteId: number; day: string }[] };
/** Whole batches of one day. */
export type BatchesSlice = {
  day: string;
  websites: readonly number[];
  batches: readonly { node: string; batch: number }[];
};
export type Slice = DaysSlice | BatchesSlice;

export type CopiedSlice = { records: number; bytes: number };

const columns = ['node', 'batch', ...recordColumns];
const settings = {
  // Readers of JSON may lose the last digits of an id otherwise.
  output_format_json_quote_64bit_integers: 1,
  max_execution_time: 110,
} as const;
/** An engine takes 32 MiB in one request. */
const maxSliceBytes = 24 * 2 ** 20;

/**
 * Copies some records as one block, which comes to be in the store as a whole or not at all. They keep the
 * names of their batches, by which the loader recognizes them.
 */
export async function copySlice(options: {
  from: MoveStore;
  to: MoveStore;
  slice: Slice;
  /** Marks the INSERT, so that one that was given up can be found and killed. */
  mark: string;
}): Promise<CopiedSlice | 'too large'> {
  const { from, to, slice, mark } = options;
  const { where, params } = conditionOf(slice);
  const query = `select ${columns.join(', ')} from records where ${where} format JSONCompactEachRow`;
  const { chunks } = await from.queryBytes({ query, params, settings });
  const body = Buffer.concat(chunks);
  if (body.length > maxSliceBytes && sizeOf(slice) > 1) return 'too large';
  const records = countLines(body);
  if (records > 0) await to.insertBatch({ columns, body, rows: records, queryId: `${mark}${Date.now()}` });
  return { records, bytes: body.length };
}

/** Of how many days or batches the slice consists. */
export const sizeOf = (slice: Slice): number => ('days' in slice ? slice.days.length : slice.batches.length);

export function halve(slice: Slice): [Slice, Slice] {
  const middle = Math.ceil(sizeOf(slice) / 2);
  if ('days' in slice) return [{ days: slice.days.slice(0, middle) }, { days: slice.days.slice(middle) }];
  const { batches } = slice;
  return [
    { ...slice, batches: batches.slice(0, middle) },
    { ...slice, batches: batches.slice(middle) },
  ];
}

export const ofBatches = `${onDay} and (node, batch) in {batches:Array(Tuple(String, UInt64))}`;

export function batchParams({ day, websites, batches }: BatchesSlice): Record<string, unknown> {
  return { day, websites, batches: batches.map(({ node, batch }) => new TupleParam([node, batch])) };
}

const ofDays = `
  day between {from:Date} and {to:Date} and (website_id, day) in {days:Array(Tuple(UInt32, Date))}`;

function conditionOf(slice: Slice): { where: string; params: Record<string, unknown> } {
  if (!('days' in slice)) return { where: ofBatches, params: batchParams(slice) };
  const inOrder = slice.days.map(({ day }) => day).sort();
  const days = slice.days.map(({ websiteId, day }) => new TupleParam([websiteId, day]));
  return { where: ofDays, params: { from: inOrder[0], to: inOrder.at(-1), days } };
}

/** A line break within a value is escaped. */
export function countLines(body: Buffer): number {
  let lines = 0;
  for (let at = body.indexOf(10); at !== -1; at = body.indexOf(10, at + 1)) lines += 1;
  return lines;
}
