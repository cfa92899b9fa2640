import { addDays } from '@trackside/contract/calendar/day.ts';
import type { Store } from '../store/open-store.ts';
import type { Batch } from './ledger-lines.ts';

/** A partition of a batch that doesn't have as many rows in the store as in the journal. */
export type Difference = { batch: Batch; month: string; expected: number; found: number };

export type Comparison = {
  same: Batch[];
  different: Difference[];
  /**
   * Batches of this node that the store has and that were not asked for. Their numbers are above the first
   * one that was.
   */
  others: number[];
};

/**
 * Counts batches by partition in the store, and compares the counts with the ledger. To find all others, it has
 * to look at some days before, because those may have only records that came late.
 */
export async function compareBatches(
  store: Pick<Store, 'countBatches'>,
  node: string,
  batches: readonly Batch[],
  { daysBefore = 0 } = {},
): Promise<Comparison> {
  if (batches.length === 0) return { same: [], different: [], others: [] };
  const asked = new Set(batches.map(({ batch }) => batch));
  const fromBatch = batches.reduce((first, { batch }) => Math.min(first, batch), Number.MAX_SAFE_INTEGER);
  const toBatch = Number.MAX_SAFE_INTEGER;
  const found = new Map<string, number>();
  const monthsFound = new Map<number, string[]>();
  const others = new Set<number>();
  const fromDay = earliestDay(batches, daysBefore);
  for (const row of await store.countBatches({ node, fromBatch, toBatch, fromDay })) {
    found.set(`${row.batch} ${row.month}`, row.rows);
    monthsFound.set(row.batch, [...(monthsFound.get(row.batch) ?? []), String(row.month)]);
    if (!asked.has(row.batch)) others.add(row.batch);
  }
  const same: Batch[] = [];
  const different: Difference[] = [];
  for (const batch of batches) {
    const before = different.length;
    for (const month of new Set([...Object.keys(batch.months), ...(monthsFound.get(batch.batch) ?? [])])) {
      const expected = batch.months[month] ?? 0;
      const counted = found.get(`${batch.batch} ${month}`) ?? 0;
      if (counted !== expected) different.push({ batch, month, expected, found: counted });
    }
    if (different.length === before) same.push(batch);
  }
  return { same, different, others: [...others] };
}

/** The first day of the earliest partition, or some days before it. Counting can skip older partitions. */
export function earliestDay(batches: readonly Batch[], daysBefore: number): string {
  let earliest = '999912';
  for (const batch of batches) {
    for (const month of Object.keys(batch.months)) if (month < earliest) earliest = month;
  }
  if (earliest === '999912') return '1970-01-01';
  return addDays(`${earliest.slice(0, 4)}-${earliest.slice(4)}-01`, -daysBefore);
}
