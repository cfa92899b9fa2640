import { escapeControls } from '../../text/escape-controls.ts';

/**
 * Rows as lines in which each column begins at the same place. Visitors choose some of the texts: they stay
 * within their cell.
 */
export function alignColumns(cells: string[][]): string {
  const rows = cells.map((row) => row.map(escapeControls));
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
