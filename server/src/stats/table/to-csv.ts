import { harmlessText } from '../../text/harmless-text.ts';

export type CsvCell = string | number | null;

/**
 * A table as CSV by RFC 4180, without anything that a spreadsheet would run. Numbers are ours, and stay
 * numbers.
 */
export function toCsv(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [header, ...rows].map((row) => `${toLine(row)}\r\n`).join('');
}

function toLine(row: readonly CsvCell[]): string {
  const line = row.map(toCell).join(',');
  // A line with nothing on it would be passed over, and a row with one empty cell would be lost.
  return line === '' && row.length === 1 ? '""' : line;
}

function toCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = harmlessText(cell);
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
