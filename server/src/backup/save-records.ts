import { countLines } from '../store/move/copy-slice.ts';
import { type Amount, type Cell, listCells, listDays, listMonths } from '../store/move/list-contents.ts';
import type { MoveStore } from '../store/move/move-store.ts';
import type { BackupPlace } from './backup-place.ts';
import type { RecordsPiece, SavedDay } from './manifest.ts';
import { writePiece } from './piece.ts';
import { contentOf, planDay } from './plan-day.ts';

export type SaveOptions = {
  store: MoveStore;
  place: BackupPlace;
  columns: readonly string[];
  /** The days of an earlier backup, whose pieces are all there. */
  known: ReadonlyMap<string, SavedDay>;
  /** Days before this one get no more records. */
  openFrom: string;
  /** Whether a batch belongs to the backup. Later ones are in the journal that it holds. */
  isIncluded: (cell: { node: string; batch: number }) => boolean;
  onDay: (day: SavedDay, savedRecords: number) => Promise<void>;
};

const maxRecords = 60_000;
/** The store takes 32 MiB in one request, which this becomes again when it is restored. */
const maxPieceBytes = 24 * 2 ** 20;
const maxAttempts = 5;
const settings = {
  // Readers of JSON may lose the last digits of an id otherwise.
  output_format_json_quote_64bit_integers: 1,
  max_execution_time: 110,
} as const;

/** Saves all records that the place doesn't have yet, and returns all days. */
export async function saveRecords(options: SaveOptions): Promise<SavedDay[]> {
  const { store, known, openFrom, onDay } = options;
  const saved: SavedDay[] = [];
  for (const month of (await listMonths(store)).keys()) {
    for (const [day, amount] of await amountsOfDays(store, month)) {
      const before = known.get(day);
      const isSame = day < openFrom && before?.summary === amount;
      const found = isSame ? { day: before, savedRecords: 0 } : await saveDay(options, day);
      if (found.day.pieces.length === 0) continue;
      saved.push(found.day);
      await onDay(found.day, found.savedRecords);
    }
  }
  return saved;
}

async function amountsOfDays(store: MoveStore, month: number): Promise<Map<string, string>> {
  const byDay = Map.groupBy(await listDays(store, month), ({ day }) => day);
  return new Map([...byDay].sort().map(([day, websites]) => [day, summaryOf(websites)]));
}

/** How many records there are, and the sum of their visitor ids as the store counts it: with 64 bits. */
export function summaryOf(amounts: readonly Amount[]): string {
  const records = amounts.reduce((sum, amount) => sum + amount.records, 0);
  const checksum = amounts.reduce((sum, amount) => BigInt.asUintN(64, sum + BigInt(amount.checksum)), 0n);
  return `${records} ${checksum}`;
}

async function saveDay(options: SaveOptions, day: string): Promise<{ day: SavedDay; savedRecords: number }> {
  const { store, known, openFrom, isIncluded } = options;
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const all = await listCells(store, { day, websites: [] });
    const cells = all.filter(isIncluded);
    const leftOut = all.filter((cell) => !isIncluded(cell));
    const limits = { maxRecords, isClosed: day < openFrom };
    const { kept, groups } = planDay(cells, known.get(day)?.pieces ?? [], limits);
    const pieces: RecordsPiece[] = [];
    for (const group of groups) {
      const written = await savePieces(options, day, group, leftOut);
      if (written === undefined) break;
      pieces.push(...written);
    }
    const savedRecords = recordsOf(pieces);
    if (savedRecords !== recordsOf(groups.flat())) continue;
    const inOrder = [...kept, ...pieces].sort((one, other) => (one.path < other.path ? -1 : 1));
    return { day: { day, summary: summaryOf(cells), pieces: inOrder }, savedRecords };
  }
  throw new Error(
    `expected ${day} to stay the same while it is read, but it has changed ${maxAttempts} times`,
  );
}

const recordsOf = (list: readonly { records: number }[]) =>
  list.reduce((sum, { records }) => sum + records, 0);

/**
 * Saves batches as one piece, or as several if they are large. Undefined if they have changed meanwhile. Batches
 * that are left out can be among them.
 */
async function savePieces(
  options: SaveOptions,
  day: string,
  cells: readonly Cell[],
  leftOut: readonly Cell[],
): Promise<RecordsPiece[] | undefined> {
  const { store, place, columns } = options;
  const [{ node, batch: fromBatch }, { batch: toBatch }] = [cells[0]!, cells.at(-1)!];
  const isBetween = ({ batch }: Cell) => batch > fromBatch && batch < toBatch;
  const left = leftOut.filter((cell) => cell.node === node && isBetween(cell)).map(({ batch }) => batch);
  const { chunks } = await store.queryBytes({
    query: `
      select ${columns.join(', ')}
      from records
      where day = {day:Date} and node = {node:String} and batch between {from:UInt64} and {to:UInt64}
        and batch not in {left:Array(UInt64)}
      format JSONCompactEachRow`,
    params: { day, node, from: fromBatch, to: toBatch, left: `[${left.join()}]` },
    settings,
  });
  const body = Buffer.concat(chunks);
  if (body.length > maxPieceBytes && cells.length > 1) {
    const middle = Math.ceil(cells.length / 2);
    const first = await savePieces(options, day, cells.slice(0, middle), leftOut);
    const second = first && (await savePieces(options, day, cells.slice(middle), leftOut));
    return second && [...first, ...second];
  }
  const records = recordsOf(cells);
  if (countLines(body) !== records) return undefined;
  const piece = await writePiece(place, { folder: `records/${day}`, ending: 'jsonl' }, body);
  return [{ ...piece, node, fromBatch, toBatch, records, content: contentOf(cells) }];
}
