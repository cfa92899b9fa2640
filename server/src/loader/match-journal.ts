import { addDays } from '@trackside/contract/calendar/day.ts';
import type { Log } from '../log.ts';
import { isBefore } from '../records/journal-position.ts';
import { maxDaysBefore } from '../records/late-limits.ts';
import type { IsWanted } from '../records/wanted-row.ts';
import type { Store } from '../store/open-store.ts';
import { earliestDay } from './compare-batches.ts';
import type { Batch } from './ledger-lines.ts';
import { matchSegment, type Stranger, type Stretch } from './match-segment.ts';
import { monthOf, type RowAt, rangeOf, readRows, type SegmentStretch } from './read-rows.ts';

type Options = {
  folder: string;
  segments: readonly (SegmentStretch & { node: string })[];
  node: string;
  /** The batches that the ledger knows for certain, without a gap from the first segment on. */
  known: readonly Batch[];
  /** The last batch that the ledger knows, even if there are gaps before it. */
  lastKnown: Batch | undefined;
  /** New batches get higher numbers than this. */
  lastBatch: number;
  store: Pick<Store, 'listKeys' | 'countBatches' | 'deleteBatches' | 'lastBatch'>;
  isWanted: IsWanted;
  maxRows: number;
  log: Log;
};

/**
 * `isMissing` means that none of it is in the store yet.
 */
type Entry = Batch & { isMissing: boolean };
type Months = Map<Stranger, Record<string, number>>;

/**
 * Finds out which records of the journal the store already has, when the ledger can't tell because lines of
 * it are damaged, because it is gone, or because it is older than the store. Records are recognized by their
 * keys. Returns the batches as they are in the store. Duplicates are deleted from the store, and missing
 * records are in batches that still have to be loaded.
 */
export async function matchJournal(options: Options): Promise<Batch[]> {
  const { folder, segments, node, known, lastKnown, store, isWanted, log } = options;
  const nodes = new Set([node, ...segments.map((segment) => segment.node)]);
  let lastBatch = Math.max(options.lastBatch, await store.lastBatch(node));
  const entries: Entry[] = [];
  const counts = { found: 0, deleted: 0, missing: 0 };
  for (const segment of segments) {
    const knownHere = known.filter((batch) => batch.segment === segment.number);
    const elsewhere = new Set([...known, ...entries].map(({ batch }) => batch));
    for (const { batch } of knownHere) elsewhere.delete(batch);
    entries.push(...knownHere.map((batch) => ({ ...batch, isMissing: false })));
    const { rows } = await readRows(folder, segment, isWanted);
    const stored = rows.length === 0 ? [] : await store.listKeys(rangeOf(rows));
    const { strangers, stretches } = matchSegment({
      node,
      known: knownHere,
      rows,
      stored: stored.filter((of) => nodes.has(of.node) && !(of.node === node && elsewhere.has(of.batch))),
    });
    const months = await countMonths(store, strangers, rows);
    const doubled = strangers.filter(
      (stranger) => !isAdoptable(stranger, node) && sumOf(months.get(stranger)!) === stranger.matched,
    );
    await deleteStrangers(store, doubled, months);
    for (const { matched } of doubled) counts.deleted += matched;

    const add = (
      to: number,
      batch: number,
      part: Record<string, number>,
      rows: RowAt[],
      isMissing: boolean,
    ) => {
      const last = entries.at(-1);
      const from = last?.segment === segment.number ? last.to : segment.firstFrame;
      const [firstReceivedAt, lastReceivedAt] = [rows[0]?.receivedAt ?? '', rows.at(-1)?.receivedAt ?? ''];
      const place = { segment: segment.number, from, to };
      entries.push({ batch, ...place, months: part, firstReceivedAt, lastReceivedAt, isMissing });
      counts[isMissing ? 'missing' : 'found'] += rows.length;
    };
    const placeOf = ({ to }: RowAt) => placeBeside(lastKnown, { segment: segment.number, to });
    for (const stretch of joinMissing(stretches, new Set(doubled), options.maxRows, placeOf)) {
      const to = stretch.rows.at(-1)!.to;
      if (stretch.in === undefined) add(to, ++lastBatch, countByMonth(stretch.rows), stretch.rows, true);
      else if (isAdoptable(stretch.in, node))
        add(to, stretch.in.batch, months.get(stretch.in)!, stretch.rows, false);
      // The store has these in a batch that can't be told apart from others, so there is nothing to load.
      else add(to, ++lastBatch, {}, stretch.rows, false);
    }
    const last = entries.at(-1);
    const at = last?.segment === segment.number ? last.to : segment.firstFrame;
    // The rest is unreadable or not wanted.
    if (at < segment.end) add(segment.end, ++lastBatch, {}, [], true);
  }
  // Records that were in no batch yet are loaded as usual. Those that were, and that the store has lost since,
  // stay in a batch: otherwise nobody could tell later that the journal makes up for the loss.
  while (entries.at(-1)?.isMissing && placeBeside(lastKnown, entries.at(-1)!) === 'behind') entries.pop();
  const batches = entries.map(({ isMissing, ...batch }) => batch);
  batches.push(...(await findUnmatched(store, node, batches)));
  // A journal that was never loaded is no surprise.
  if (counts.found + counts.deleted > 0)
    log.warn(
      counts,
      'the ledger and the store disagreed: looked up every record of the journal in the store',
    );
  return batches;
}

type Place = 'before' | 'in' | 'behind';

/** Whether a stretch that ends at `to` is before the last batch, in it, or in no batch yet. */
function placeBeside(last: Batch | undefined, { segment, to }: { segment: number; to: number }): Place {
  const end = { segment, offset: to };
  if (last === undefined || isBefore({ segment: last.segment, offset: last.to }, end)) return 'behind';
  return isBefore({ segment: last.segment, offset: last.from }, end) ? 'in' : 'before';
}

/** Its records are one stretch of the journal, and each is there once, so the ledger can take it as it is. */
function isAdoptable({ node, stretches, surplus }: Stranger, ofNode: string): boolean {
  return node === ofNode && stretches === 1 && surplus === 0;
}

async function countMonths(
  store: Options['store'],
  strangers: readonly Stranger[],
  rows: readonly RowAt[],
): Promise<Months> {
  const months: Months = new Map(strangers.map((stranger) => [stranger, {}]));
  // Records of the same time can count on a day before, and these may count on the day after.
  const fromDay = addDays(rangeOf(rows).fromDay, -1 - maxDaysBefore);
  for (const [node, list] of Map.groupBy(strangers, (stranger) => stranger.node)) {
    const byNumber = new Map(list.map((stranger) => [stranger.batch, stranger]));
    const fromBatch = list.reduce((first, { batch }) => Math.min(first, batch), Number.MAX_SAFE_INTEGER);
    const toBatch = list.reduce((last, { batch }) => Math.max(last, batch), 0);
    for (const { batch, month, rows } of await store.countBatches({ node, fromBatch, toBatch, fromDay })) {
      const stranger = byNumber.get(batch);
      if (stranger !== undefined) months.get(stranger)![month] = rows;
    }
  }
  return months;
}

/** The journal has every record of these, so deleting them loses nothing. */
async function deleteStrangers(
  store: Options['store'],
  strangers: readonly Stranger[],
  months: Months,
): Promise<void> {
  const parts = strangers.flatMap((stranger) =>
    Object.keys(months.get(stranger)!).map((month) => ({ ...stranger, month })),
  );
  for (const list of Map.groupBy(parts, ({ node, month }) => `${node} ${month}`).values()) {
    const { node, month } = list[0]!;
    await store.deleteBatches({ node, batches: list.map(({ batch }) => batch), month: Number(month) });
  }
}

/**
 * Neighboring stretches that have to be loaded become batches of the usual size. The last batch that the ledger
 * knows stays apart, because a crash may have come before its INSERT.
 */
function joinMissing(
  stretches: readonly Stretch[],
  deleted: ReadonlySet<Stranger>,
  maxRows: number,
  placeOf: (row: RowAt) => Place,
): Stretch[] {
  const hasRoom = ({ rows }: Stretch, row: RowAt) =>
    rows.length < maxRows && placeOf(rows[0]!) === placeOf(row);
  const joined: Stretch[] = [];
  for (const stretch of stretches) {
    if (stretch.in !== undefined && !deleted.has(stretch.in)) {
      joined.push(stretch);
      continue;
    }
    for (const row of stretch.rows) {
      const last = joined.at(-1);
      if (last !== undefined && last.in === undefined && hasRoom(last, row)) last.rows.push(row);
      else joined.push({ rows: [row], in: undefined });
    }
  }
  return joined;
}

/**
 * Batches in the store that have no records in the journal, because the journal is older than the store or
 * has lost them. They are kept.
 */
async function findUnmatched(
  store: Options['store'],
  node: string,
  batches: readonly Batch[],
): Promise<Batch[]> {
  const last = batches.at(-1);
  if (last === undefined) return [];
  const known = new Set(batches.map(({ batch }) => batch));
  const unmatched = new Map<number, Batch>();
  const fromBatch = batches.reduce((first, { batch }) => Math.min(first, batch), Number.MAX_SAFE_INTEGER);
  const range = {
    node,
    fromBatch,
    toBatch: Number.MAX_SAFE_INTEGER,
    fromDay: earliestDay(batches, maxDaysBefore),
  };
  for (const { batch, month, rows } of await store.countBatches(range)) {
    if (known.has(batch)) continue;
    const place = { segment: last.segment, from: last.to, to: last.to };
    const { lastReceivedAt } = last;
    const entry = unmatched.get(batch) ?? {
      batch,
      ...place,
      months: {},
      firstReceivedAt: '',
      lastReceivedAt,
    };
    entry.months[month] = rows;
    unmatched.set(batch, entry);
  }
  return [...unmatched.values()];
}

function countByMonth(rows: readonly RowAt[]): Record<string, number> {
  const months: Record<string, number> = {};
  for (const row of rows) months[monthOf(row)] = (months[monthOf(row)] ?? 0) + 1;
  return months;
}

function sumOf(months: Record<string, number>): number {
  return Object.values(months).reduce((sum, rows) => sum + rows, 0);
}
