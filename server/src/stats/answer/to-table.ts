import type { Answer } from './ask-question.ts';

export type Table = { header: string[]; rows: (string | number | null)[][] };

/** An answer as rows and columns, for spreadsheets: time, dimensions, metrics, and the metrics of the comparison. */
export function toTable({ rows }: Pick<Answer, 'rows'>): Table {
  const [first] = rows;
  if (first === undefined) return { header: [], rows: [] };
  const [dimensions, metrics] = [Object.keys(first.dimensions), Object.keys(first.metrics)];
  const hasTime = first.time !== undefined;
  const hasComparison = first.comparison !== undefined;
  const numbers = (of: Record<string, number | null | undefined>) => metrics.map((name) => of[name] ?? null);
  return {
    header: [
      ...(hasTime ? ['time'] : []),
      ...dimensions,
      ...metrics,
      ...(hasComparison ? metrics.map((name) => `${name} before`) : []),
    ],
    rows: rows.map((row) => [
      ...(hasTime ? [row.time ?? ''] : []),
      ...dimensions.map((name) => row.dimensions[name] ?? ''),
      ...numbers(row.metrics),
      ...(hasComparison ? numbers(row.comparison ?? {}) : []),
    ]),
  };
}
