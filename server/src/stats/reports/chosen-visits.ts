import type { Filter } from '@trackside/contract/stats/questions.ts';
import {
  firstDayJoinFor,
  type Parameters,
  recordMaskSql,
  visitConditionsSql,
} from '../question/dimensions.ts';

/**
 * What every report is asked about: whole local days of the website, both included, and which visits of
 * theirs.
 */
export type ReportScope = { period: { from: string; to: string }; filters: readonly Filter[] };

/**
 * The part of a statement from `from` on that chooses visits. A filter on what a visit has holds for the
 * visit; those on its records choose a visit in which one record meets all of them. The visit then counts
 * with all its records.
 */
export function chosenVisitsSql(
  { period, filters }: ReportScope,
  builds: readonly string[],
  parameters: Parameters,
): string {
  const conditions = visitConditionsSql(filters, parameters);
  const mask = recordMaskSql(filters, parameters);
  if (mask !== undefined) conditions.push(`has(${mask}, 1)`);
  return `
    from visits
    ${firstDayJoinFor(filters)}
    where website_id = {website_id:UInt32}
      and day between ${parameters.add('Date', period.from)} and ${parameters.add('Date', period.to)}
      and build in ${parameters.add('Array(UInt64)', builds.map(BigInt))}
      ${conditions.map((each) => `and ${each}`).join('\n      ')}`;
}
