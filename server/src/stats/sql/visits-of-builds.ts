import type { Period } from '@trackside/contract/calendar/period.ts';
import type { Filter } from '@trackside/contract/stats/questions.ts';
import { type DayBuild, numbersOf } from '../days/ready-days.ts';
import { type Parameters, visitConditionsSql } from '../question/dimensions.ts';
import type { Change, Question } from '../question/read-question.ts';

/** A condition on visits, and columns that tell which of them count now, and which counted before. */
type DifferingVisits = { condition: string; columns: string };

/** The device of a visit. It isn't stored where the visitor is the device. */
export const deviceOfVisit = 'if(device_id = 0, visitor_id, device_id)';

/**
 * Returns the condition that chooses the visits of builds. A change has all visits of its devices, so what
 * these devices did according to its base is left out.
 */
export function visitsOfBuilds(builds: readonly DayBuild[], parameters: Parameters): string {
  const numbers = builds.flatMap(numbersOf).map(BigInt);
  const conditions = [`build in ${parameters.add('Array(UInt64)', numbers)}`];
  for (const { build, base } of builds) {
    if (base === undefined) continue;
    const change = parameters.add('UInt64', BigInt(build));
    const ofChange = `website_id = {website_id:UInt32} and build = ${change}`;
    conditions.push(`(
        build != ${parameters.add('UInt64', BigInt(base))}
        or ${deviceOfVisit} not in (select ${deviceOfVisit} from open_visits where ${ofChange})
      )`);
  }
  return conditions.join('\n      and ');
}

/**
 * Selects the visits of everyone in a change, now and before it, with columns that distinguish them. This
 * includes a device that has become a person since.
 */
function changedVisits(builds: readonly DayBuild[], change: Change, parameters: Parameters): DifferingVisits {
  const add = (numbers: readonly string[]) => parameters.add('Array(UInt64)', numbers.map(BigInt));
  const ofChange = `website_id = {website_id:UInt32} and build in ${add(change.builds)}`;
  return {
    condition: `build in ${add([...builds.flatMap(numbersOf), ...change.before])}
      and visitor_id in (
        select arrayJoin([visitor_id, ${deviceOfVisit}]) from open_visits where ${ofChange}
      )`,
    columns: `(${visitsOfBuilds(builds, parameters)}) as is_now, build in ${add(change.before)} as was_before`,
  };
}

/**
 * Selects the visits that filters leave out, with all visits of their visitors, and columns that distinguish
 * them. A visitor with a single visit has no others.
 */
function visitsLeftOut(
  builds: readonly DayBuild[],
  { from, to }: Period,
  filters: readonly Filter[],
  parameters: Parameters,
): DifferingVisits {
  const matches = visitConditionsSql(filters, parameters).join(' and ');
  const ofBuilds = visitsOfBuilds(builds, parameters);
  return {
    condition: `${ofBuilds}
      and (
        not (${matches})
        or not is_single and visitor_id in (
          select visitor_id
          from visits
          where website_id = {website_id:UInt32}
            and day between ${parameters.add('Date', from)} and ${parameters.add('Date', to)}
            and ${ofBuilds} and not is_single and not (${matches})
        )
      )`,
    columns: `(${matches}) as is_now, true as was_before`,
  };
}

/** Returns which visits a question about a difference reads; undefined if it is about numbers. */
export function differingVisits(
  { period, change, leftOutBy }: Question,
  builds: readonly DayBuild[],
  parameters: Parameters,
): DifferingVisits | undefined {
  if (change !== undefined) return changedVisits(builds, change, parameters);
  return leftOutBy && visitsLeftOut(builds, period, leftOutBy, parameters);
}
