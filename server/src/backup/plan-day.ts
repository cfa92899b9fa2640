import type { Cell } from '../store/move/list-contents.ts';
import type { RecordsPiece } from './manifest.ts';
import { hashOf } from './piece.ts';

/** What a day consists of: pieces that are there already, and groups of batches that have to be saved. */
export type DayPlan = { kept: RecordsPiece[]; groups: Cell[][] };

/** More pieces than this are joined once a day gets no more records, if they are small. */
const fewPieces = 3;
const smallRecords = 5_000;

/**
 * Finds which pieces of an earlier backup still have what the store has. Batches are added, but hardly ever
 * change, so only the end of a day is usually saved again. A group is a range of one node's batches, and no
 * piece that is kept lies in it.
 */
export function planDay(
  cells: readonly Cell[],
  known: readonly RecordsPiece[],
  { maxRecords, isClosed }: { maxRecords: number; isClosed: boolean },
): DayPlan {
  const kept = isClosed && isScattered(known) ? [] : known.filter((piece) => isSame(piece, cells));
  const groups: Cell[][] = [];
  let records = 0;
  for (const cell of cells.toSorted(inOrder)) {
    if (kept.some((piece) => isWithin(piece, cell))) {
      // What follows must not be in one range with what came before.
      records = Number.POSITIVE_INFINITY;
      continue;
    }
    const last = groups.at(-1);
    if (last === undefined || last[0]!.node !== cell.node || records + cell.records > maxRecords) {
      groups.push([cell]);
      records = cell.records;
    } else {
      last.push(cell);
      records += cell.records;
    }
  }
  return { kept, groups };
}

/** Tells apart what a range of batches has from anything else that it could have. */
export function contentOf(cells: readonly Cell[]): string {
  const lines = cells
    .toSorted(inOrder)
    .map(({ batch, records, checksum }) => `${batch} ${records} ${checksum}`);
  return hashOf(lines.join('\n')).slice(0, 32);
}

const isWithin = ({ node, fromBatch, toBatch }: RecordsPiece, cell: Cell): boolean =>
  cell.node === node && cell.batch >= fromBatch && cell.batch <= toBatch;

function isSame(piece: RecordsPiece, cells: readonly Cell[]): boolean {
  const within = cells.filter((cell) => isWithin(piece, cell));
  return within.length > 0 && contentOf(within) === piece.content;
}

function isScattered(pieces: readonly RecordsPiece[]): boolean {
  const records = pieces.reduce((sum, piece) => sum + piece.records, 0);
  return pieces.length > fewPieces && records < pieces.length * smallRecords;
}

const inOrder = (one: Cell, other: Cell): number =>
  one.node === other.node ? one.batch - other.batch : one.node < other.node ? -1 : 1;
