import { crc32 } from 'node:zlib';
import { OperatorError } from '../core/operator-error.ts';

/** Where one batch stands in the journal, and how many of its rows belong to each month's partition. */
export type Batch = {
  batch: number;
  segment: number;
  from: number;
  to: number;
  months: Record<string, number>;
  firstReceivedAt: string;
  lastReceivedAt: string;
};

/** Batches whose segments are gone: the store alone has their rows. */
export type Forgotten = { batches: number; rows: number; lastReceivedAt: string };

export type LedgerLine =
  | { node: string; format: 1 }
  | { store: string }
  | { batch: Batch }
  | { lastBatch: number }
  | { verified: { from: number; to: number } }
  | { forgotten: Forgotten; upTo: number };

export function formatLine(line: LedgerLine): string {
  const text = JSON.stringify(line);
  return `${checksum(text)} ${text}\n`;
}

/** Splits the file into lines; `end` is the first byte behind the last whole one. Throws on damage before that. */
export function parseLines(text: string, file: string): { lines: LedgerLine[]; end: number } {
  const lines: LedgerLine[] = [];
  let end = 0;
  while (end < text.length) {
    const newline = text.indexOf('\n', end);
    if (newline === -1) break;
    const line = text.slice(end, newline);
    const json = line.slice(9);
    if (line.slice(0, 8) !== checksum(json)) {
      if (!text.includes('\n', newline + 1)) break;
      throw new OperatorError(
        `${file}: damaged at byte ${end}. Its batches cannot be told apart: stop the server, move the folder it is in ` +
          'aside (it is still needed to recover records), and start again.',
      );
    }
    lines.push(JSON.parse(json));
    end = newline + 1;
  }
  return { lines, end };
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}
