import assert from 'node:assert';
import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import { dimensions as allDimensions, type Dimension, dimensionOf } from '../question/dimensions.ts';
import type { Question } from '../question/read-question.ts';
import { firstDaySql, sortedSql, topSql } from './ask-visits.ts';

/** What visits or records are split by for one question, and the SQL for the rows that it wants. */
type Split = Pick<Dimension, 'level' | 'sql' | 'arrays' | 'isOptional'> & {
  of: DimensionName | IntervalOfDays | 'whole';
  rows: string;
};
/** The same for all questions that split by it, with its place among all of them. */
export type SplitKey = Split & { name: string; place: number };

export type IntervalOfDays = keyof typeof firstDaySql;

/** A series may not have more than these. */
const maxIntervals = 10_000;

export function splitOf({ dimensions, interval, order, limit }: Question): Split {
  const [key] = dimensions;
  if (key !== undefined) {
    const { level, sql, arrays, isOptional } = dimensionOf(key.dimension);
    return { of: key.dimension, level, sql, arrays, isOptional, rows: topSql({ order, limit }) };
  }
  const ofVisit = {
    level: 'visit',
    arrays: [],
    isOptional: false,
    rows: sortedSql(maxIntervals, ['0']),
  } as const;
  // All visits are of one website.
  if (interval === undefined) return { ...ofVisit, of: 'whole', sql: 'website_id' };
  assert(interval !== 'minute' && interval !== 'hour', 'A visit can span several hours.');
  return { ...ofVisit, of: interval, sql: firstDaySql[interval] };
}

export function isDimension(of: Split['of']): of is DimensionName {
  return of in allDimensions;
}
