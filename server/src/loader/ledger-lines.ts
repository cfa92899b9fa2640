import { crc32 } from 'node:zlib';

/** The place of one batch in the journal, and the number of its rows in each month's partition. */
export type Batch = {
  batch: number;
  segment: number;
  from: number;
  to: number;
  months: Record<string, number>;
  firstReceivedAt: string;
  lastReceivedAt: string;
};

/** Batches whose segments are gone. Only the store has their rows. */
export type Forgotten = { batches: number; rows: number; lastReceivedAt: string };

export type LedgerLine =
  | { node: string; format: 1 }
  /**
   * How many records were only there when it was last counted, because no journal has them, and how many all
   * ledgers had forgotten by then. An older version didn't write the latter.
   */
  | { store: string; onlyThere?: number; forgottenThen?: number }
  | { batch: Batch }
  | { lastBatch: number }
  | { verified: { from: number; to: number } }
  /** The batches of this segment and of those before it. An older version named the last batch instead. */
  | { forgotten: Forgotten; upTo: number; segment?: number };

export function formatLine(line: LedgerLine): string {
  const text = JSON.stringify(line);
  return `${checksum(text)} ${text}\n`;
}

/**
 * Reads as much of the file as possible. A line that was cut off by a full disk can be followed by zeros and
 * then by whole lines. `unreadable` counts damaged lines. An incomplete last line was never confirmed, and
 * doesn't count.
 */
export function parseLines(text: string): { lines: LedgerLine[]; unreadable: number } {
  // A power cut can leave zeros behind the last whole line, without any of the next one.
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const pieces = whole.split(/[\n\0]+/).filter((piece) => piece !== '');
  const lines: LedgerLine[] = [];
  let unreadable = 0;
  for (const [index, piece] of pieces.entries()) {
    const json = piece.slice(9);
    if (piece.slice(0, 8) === checksum(json)) lines.push(JSON.parse(json));
    else if (index < pieces.length - 1) unreadable += 1;
  }
  return { lines, unreadable };
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
