import type { Answer } from '../plan/answer-question.ts';
import { hasNames, nameOf, spellValue } from './name-value.ts';

export type Table = { header: string[]; rows: (string | number | null)[][] };

/** The members of a question that determine the columns of its answer. */
type Asked = { interval?: unknown; metrics?: unknown; dimensions?: unknown; compare?: unknown };

/**
 * Arranges an answer in rows and columns for spreadsheets: time, dimensions, metrics, and the time and the
 * metrics of the comparison. The names of codes are in a separate column.
 */
export function toTable({ rows }: Pick<Answer, 'rows'>, asked: Asked): Table {
  const metrics = (asked.metrics ?? ['visitors']) as string[];
  const keys = (asked.dimensions ?? []) as (string | { dimension: string })[];
  const dimensions = keys.map((key) => (typeof key === 'string' ? key : key.dimension));
  const hasTime = asked.interval !== undefined;
  const hasComparison = (asked.compare ?? null) !== null;
  const hasComparisonTime = hasTime && hasComparison;
  const numbers = (of: Record<string, number | null | undefined>) => metrics.map((name) => of[name] ?? null);
  return {
    header: [
      ...(hasTime ? ['time'] : []),
      ...dimensions.flatMap((name) => (hasNames(name) ? [name, `${name} name`] : [name])),
      ...metrics,
      ...(hasComparisonTime ? ['time before'] : []),
      ...(hasComparison ? metrics.map((name) => `${name} before`) : []),
    ],
    rows: rows.map((row) => [
      ...(hasTime ? [row.time ?? ''] : []),
      ...dimensions.flatMap((name) => cellsOf(name, row.dimensions[name] ?? '')),
      ...numbers(row.metrics),
      ...(hasComparisonTime ? [row.comparisonTime ?? ''] : []),
      ...(hasComparison ? numbers(row.comparison ?? {}) : []),
    ]),
  };
}

const cellsOf = (dimension: string, value: string) =>
  hasNames(dimension) ? [value, nameOf(dimension, value)] : [spellValue(dimension, value)];
