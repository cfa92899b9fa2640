import type { Filter } from '@trackside/contract/stats/questions.ts';
import type { DayBuild } from '../days/ready-days.ts';
import {
  firstDayJoinFor,
  type Parameters,
  recordMaskSql,
  visitConditionsSql,
  visitPrefiltersSql,
} from '../question/dimensions.ts';
import { visitsOfBuilds } from '../sql/visits-of-builds.ts';

/** The scope of every report: whole local days of the website, both included, and filters on their visits. */
export type ReportScope = { period: { from: string; to: string }; filters: readonly Filter[] };

/**
 * Returns the part of a statement from `from` on that chooses visits. A filter on a visit's own values must
 * hold for the visit. Filters on its records choose a visit if one record meets all of them. The visit then
 * counts with all its records.
 */
export function chosenVisitsSql(
  { period, filters }: ReportScope,
  builds: readonly DayBuild[],
  parameters: Parameters,
): string {
  const conditions = [...visitConditionsSql(filters, parameters), ...visitPrefiltersSql(filters, parameters)];
  const mask = recordMaskSql(filters, parameters);
  if (mask !== undefined) conditions.push(`has(${mask}, 1)`);
  return `
    from visits
    ${firstDayJoinFor(filters)}
    where website_id = {website_id:UInt32}
      and day between ${parameters.add('Date', period.from)} and ${parameters.add('Date', period.to)}
      and ${visitsOfBuilds(builds, parameters)}
      ${conditions.map((each) => `and ${each}`).join('\n      ')}`;
}
