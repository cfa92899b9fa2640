import { escapeControls } from '../../text/escape-controls.ts';

/**
 * Formats rows as lines with aligned columns. Visitors control some of the texts, so control characters are
 * escaped to keep each text within its cell.
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
