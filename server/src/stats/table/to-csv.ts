import { shownText } from '@trackside/contract/stats/shown-text.ts';
import { harmlessText } from '../../text/harmless-text.ts';

export type CsvCell = string | number | null;

/**
 * More digits after the decimal point would mean nothing: with four, a rate is exact to a hundredth of a
 * percent.
 */
const mostDigits = 4;

/**
 * Formats a table as CSV (RFC 4180), without anything that a spreadsheet would run. Numbers are calculated
 * here and stay numbers. Invisible characters are spelled out.
 */
export function toCsv(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [header, ...rows].map((row) => `${toLine(row)}\r\n`).join('');
}

function toLine(row: readonly CsvCell[]): string {
  const line = row.map(toCell).join(',');
  // Programs skip an empty line, so a row with a single empty cell would be lost.
  return line === '' && row.length === 1 ? '""' : line;
}

function toCell(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(Number(cell.toFixed(mostDigits)));
  const text = shownText(harmlessText(cell));
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
