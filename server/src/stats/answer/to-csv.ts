export type CsvCell = string | number | null;

/** A spreadsheet takes text that begins with one of these for a formula, and runs it. */
const formulaStart = /^[=+\-@\t\r]/;

/** A table as CSV by RFC 4180. An apostrophe goes before what a spreadsheet would run; it does not show it. */
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
  const text = formulaStart.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
