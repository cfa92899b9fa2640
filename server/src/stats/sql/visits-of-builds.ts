import { type DayBuild, numbersOf } from '../days/ready-days.ts';
import type { Parameters } from '../question/dimensions.ts';
import type { Change } from '../question/read-question.ts';

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
export function changedVisits(
  builds: readonly DayBuild[],
  change: Change,
  parameters: Parameters,
): { condition: string; columns: string } {
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
