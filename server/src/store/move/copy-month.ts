import { removeRows } from '../remove-rows.ts';
import { type BatchesSlice, batchParams, copySlice, halve, ofBatches, type Slice } from './copy-slice.ts';
import { type Cell, isSameAmount, listCells, listDays, type Month } from './list-contents.ts';
import type { MoveStore } from './move-store.ts';
import { type ComparedDay, planMonth } from './plan-month.ts';

export type CopyOptions = {
  from: MoveStore;
  to: MoveStore;
  mark: string;
  /** Days from this one on may still get records. */
  openFrom: string;
  onCopied: (records: number) => void;
  onRemoved: (batches: number) => void;
  /** Throws to end the copy between two slices. */
  mayGoOn: () => void;
};

const firstRecords = 20_000;
const maxRecords = 100_000;
const minRecords = 500;
const aimedBytes = 8 * 2 ** 20;
/** So many names of days or batches fit in a request. */
const maxNames = 5_000;

/** Makes a month of one store equal to that of the other. Whatever is the same already is left alone. */
export async function copyMonth(options: CopyOptions, month: Month): Promise<void> {
  const { from, to, openFrom } = options;
  const sizes = { records: firstRecords };
  const plan = planMonth(await listDays(from, month), await listDays(to, month), {
    openFrom,
    maxNewRecords: firstRecords,
  });
  const left = [...plan.newDays];
  while (left.length > 0) {
    const days = takeUpTo(left, sizes.records);
    await copyDivided(options, { days }, sizes);
  }
  for (const day of plan.comparedDays) await copyDay(options, day, sizes);
}

/** Compares the batches of a day, removes those that are different, and copies those that are missing. */
async function copyDay(options: CopyOptions, of: ComparedDay, sizes: { records: number }): Promise<void> {
  const { from, to, onRemoved } = options;
  const [cells, there] = [await listCells(from, of), await listCells(to, of)];
  const keyOf = ({ node, batch }: Cell) => `${node} ${batch}`;
  const byKey = new Map(there.map((cell) => [keyOf(cell), cell]));
  const wanted = new Map(cells.map((cell) => [keyOf(cell), cell]));
  const wrong = there.filter((cell) => !isSameAmount(cell, wanted.get(keyOf(cell))));
  while (wrong.length > 0) {
    options.mayGoOn();
    const batches = wrong.splice(0, maxNames);
    await removeRows(to, 'records', { condition: ofBatches, params: batchParams({ ...of, batches }) });
    onRemoved(batches.length);
  }
  const missing = cells.filter((cell) => !isSameAmount(cell, byKey.get(keyOf(cell))));
  while (missing.length > 0) {
    const slice: BatchesSlice = { ...of, batches: takeUpTo(missing, sizes.records) };
    await copyDivided(options, slice, sizes);
  }
}

/** Takes from the front of a list what together has so many records, but at least one. */
function takeUpTo<Of extends { records: number }>(list: Of[], records: number): Of[] {
  let sum = 0;
  let taken = 0;
  while (taken < list.length && taken < maxNames) {
    sum += list[taken]!.records;
    if (taken > 0 && sum > records) break;
    taken += 1;
  }
  return list.splice(0, taken);
}

async function copyDivided(options: CopyOptions, slice: Slice, sizes: { records: number }): Promise<void> {
  options.mayGoOn();
  const copied = await copySlice({ ...options, slice });
  if (copied === 'too large') {
    sizes.records = Math.max(minRecords, Math.floor(sizes.records / 2));
    for (const half of halve(slice)) await copyDivided(options, half, sizes);
    return;
  }
  const { records, bytes } = copied;
  options.onCopied(records);
  if (records === 0) return;
  // Goes by what the last slice took, but with care: the next records may be larger.
  const fitting = Math.floor((aimedBytes / bytes) * records);
  sizes.records = Math.max(minRecords, Math.min(fitting, 2 * sizes.records, maxRecords));
}
