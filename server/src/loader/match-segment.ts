import type { StoredKey } from '../store/list-keys.ts';
import type { Batch } from './ledger-lines.ts';
import type { RowAt } from './read-rows.ts';

/** A batch in the store that the ledger doesn't know, and how much of it a segment has. */
export type Stranger = {
  node: string;
  batch: number;
  /** The rows whose key is in the segment, and how many of them are more than the segment has. */
  matched: number;
  surplus: number;
  /** The number of stretches of neighboring records in the segment that are in this batch. */
  stretches: number;
};

/** Consecutive records, and the stranger that has them, if there is one. */
export type Stretch = { rows: RowAt[]; in: Stranger | undefined };

type Slot = { batch: Stranger | Batch; left: number };

/**
 * Finds the records of a segment in the store by their keys. Records of known batches are matched with those
 * batches first, so that copies of them in strangers count as surplus.
 */
export function matchSegment(options: {
  node: string;
  /** The known batches of this segment, in order. */
  known: readonly Batch[];
  rows: readonly RowAt[];
  /** Excludes the batches of other segments. */
  stored: readonly StoredKey[];
}): { strangers: Stranger[]; stretches: Stretch[] } {
  const { node, known, rows, stored } = options;
  const keys = new Set(rows.map(({ key }) => key));
  const knownNumbers = new Map(known.map((batch) => [batch.batch, batch]));
  const strangers = new Map<string, Stranger>();
  const slots = new Map<number, Slot[]>();
  // In the order in which they were loaded: of equal records, the first one in the journal is in the first
  // batch.
  for (const { key, rows: left, ...of } of stored.toSorted((a, b) => a.batch - b.batch)) {
    if (!keys.has(key)) continue;
    let batch: Stranger | Batch | undefined = of.node === node ? knownNumbers.get(of.batch) : undefined;
    if (batch === undefined) {
      const name = `${of.node} ${of.batch}`;
      const stranger = strangers.get(name) ?? { ...of, matched: 0, surplus: 0, stretches: 0 };
      strangers.set(name, stranger);
      stranger.matched += left;
      stranger.surplus += left;
      batch = stranger;
    }
    const others = slots.get(key);
    if (others === undefined) slots.set(key, [{ batch, left }]);
    else others.push({ batch, left });
  }

  const stretches: Stretch[] = [];
  let knownIndex = 0;
  for (const row of rows) {
    if (!row.isWanted) continue;
    while (knownIndex < known.length && known[knownIndex]!.to < row.to) knownIndex += 1;
    const own = known[knownIndex];
    const free = (slots.get(row.key) ?? []).filter(({ left }) => left > 0);
    if (own !== undefined) {
      const slot = free.find(({ batch }) => batch === own);
      if (slot !== undefined) slot.left -= 1;
      continue;
    }
    const last = stretches.at(-1);
    const ofStrangers = free.filter((slot): slot is Slot & { batch: Stranger } => 'surplus' in slot.batch);
    const slot =
      ofStrangers.find(({ batch }) => batch === last?.in) ??
      ofStrangers.find(({ batch }) => batch.node === node) ??
      ofStrangers[0];
    if (slot !== undefined) {
      slot.left -= 1;
      slot.batch.surplus -= 1;
    }
    if (last !== undefined && last.in === slot?.batch) last.rows.push(row);
    else {
      stretches.push({ rows: [row], in: slot?.batch });
      if (slot !== undefined) slot.batch.stretches += 1;
    }
  }
  return { strangers: [...strangers.values()], stretches };
}
