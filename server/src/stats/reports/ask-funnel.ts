import type { Answers, WithoutAbout } from '@trackside/contract/stats/answers.ts';
import type { FunnelStep } from '@trackside/contract/stats/questions.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { DayBuild } from '../days/ready-days.ts';
import { Parameters } from '../question/dimensions.ts';
import { chosenVisitsSql, type ReportScope } from './chosen-visits.ts';

export type FunnelInput = ReportScope & {
  steps: readonly FunnelStep[];
  /** Within one visit, unless days are given. */
  within?: 'visit' | { days: number };
};

export type FunnelResult = Omit<WithoutAbout<Answers['funnel']>, 'period' | 'visitorsAre'>;

type Row = { depth: number; visitors: number };

/**
 * Counts the visitors who took the first step, the first two steps, and so on, in this order. Anything may
 * happen between two steps, and a record counts as one step at most.
 * - Within a visit: all steps are in the same visit.
 * - Within days: only for visitors with a ClientId. There is a record of the first step such that the other
 *   steps follow it, each no later than days × 24 hours after it. The records of a visitor are ordered by
 *   their time, because visits on two devices can overlap, and within a second by the start of their visits
 *   and their order within the visit. Of two visits that began in the same second, the one that comes to an
 *   earlier step sooner is first. Times are those of the website's clock, and all steps are in the period.
 *   While the clock repeats an hour, order and limit are only as good as that clock.
 */
export async function askFunnel(
  store: WebsiteStore,
  input: FunnelInput,
  builds: readonly DayBuild[],
): Promise<FunnelResult> {
  const parameters = new Parameters();
  const query = funnelSql(input, builds, parameters);
  const rows = await store.query<Row>({ query, params: parameters.values });
  const reached = input.steps.map((_, index) =>
    rows.reduce((sum, { depth, visitors }) => (depth > index ? sum + visitors : sum), 0),
  );
  return {
    steps: input.steps.map((step, index) => ({
      step,
      visitors: reached[index]!,
      shareOfFirst: share(reached[index]!, reached[0]!),
      shareOfPrevious: index === 0 ? null : share(reached[index]!, reached[index - 1]!),
    })),
  };
}

const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);

// Does not use windowFunnel, which orders records of the same second in whatever way fits, and takes one
// record for several steps.
function funnelSql(input: FunnelInput, builds: readonly DayBuild[], parameters: Parameters): string {
  const { steps, within = 'visit' } = input;
  const ofVisit = `
    select visitor_id, started_at, ${hitsSql(steps, parameters)} as hits
    ${chosenVisitsSql(input, builds, parameters)}
      and ${within === 'visit' ? canBeginSql(steps[0]!, parameters) : 'has_client_id'}
      and notEmpty(hits)`;
  const ofVisitor = `
    select visitor_id, arrayMap(hit -> (hit.1, hit.3), arraySort(placed)) as hits
    from (
      select
        visitor_id, arrayFlatten(arrayMap(v -> v.2, arraySort(groupArray((started_at, hits))))) as by_visit,
        arrayMap((hit, place) -> (hit.1, place, hit.2), by_visit, arrayEnumerate(by_visit)) as placed
      from (${ofVisit})
      group by visitor_id
    )`;
  const limit = within === 'visit' ? '' : parameters.add('UInt32', within.days * 86_400);
  return `
    select depth, count() as visitors
    from (
      select visitor_id, max(${steps.map((_, index) => `(arrayMax(starts${index + 1}) > 0)`).join(' + ')}) as depth
      from (select visitor_id, ${startsSql(steps, limit)} from (${within === 'visit' ? ofVisit : ofVisitor}))
      group by visitor_id
    )
    where depth > 0
    group by depth`;
}

/** Returns the records that match any step: their time, and a bit for each step that they match. */
function hitsSql(steps: readonly FunnelStep[], parameters: Parameters): string {
  const bits = steps.map((step, index) => `(${stepSql(step, parameters)}) * ${2 ** index}`);
  // Passed side by side as arguments, because an array that a lambda captures is copied for each of its
  // elements.
  const columns = {
    time: 'at',
    is_an_event: 'is_event',
    ...(steps.some((step) => 'page' in step) && { page: 'path' }),
    ...(steps.some((step) => 'event' in step) && { event: 'event_name' }),
    ...(steps.some((step) => 'event' in step && step.parameter) && {
      names: 'parameter_names',
      texts: 'parameter_values',
    }),
  };
  const record = `(${Object.keys(columns).join(', ')}) -> (toUnixTimestamp(time), toUInt8(${bits.join(' + ')}))`;
  return `arrayFilter(hit -> hit.2 != 0, arrayMap(${record}, ${Object.values(columns).join(', ')}))`;
}

/** Checks a single column before all the others are read, because few visits have a given page or event. */
function canBeginSql(first: FunnelStep, parameters: Parameters): string {
  if ('event' in first) return `has(event_name, ${parameters.add('String', first.event)})`;
  return first.page.endsWith('*') ? 'true' : `has(path, ${parameters.add('String', first.page)})`;
}

function stepSql(step: FunnelStep, parameters: Parameters): string {
  if ('page' in step) {
    const matches = step.page.endsWith('*')
      ? `startsWith(page, ${parameters.add('String', step.page.slice(0, -1))})`
      : `page = ${parameters.add('String', step.page)}`;
    return `not is_an_event and ${matches}`;
  }
  const isEvent = `is_an_event and event = ${parameters.add('String', step.event)}`;
  if (step.parameter === undefined) return isEvent;
  const name = parameters.add('String', step.parameter.name);
  const value = parameters.add('String', step.parameter.value);
  return `${isEvent} and arrayExists((n, t) -> n = ${name} and t = ${value}, names, texts)`;
}

/**
 * Returns, for each step and hit, the time of the first step if the hit completes the steps up to this one,
 * else 0. If there are several first steps, the latest is taken, which leaves the most time for the rest.
 * Works on whole arrays instead of arrayFold, which takes as many rounds as the longest array has elements,
 * and one ClientId can stand for a million records.
 */
function startsSql(steps: readonly FunnelStep[], limit: string): string {
  const inTime = limit === '' ? '' : `and hit.1 <= start + ${limit}`;
  const starts = steps.map((_, index) => {
    if (index === 0) return 'arrayMap(hit -> if(bitTest(hit.2, 0), hit.1, 0), hits) as starts1';
    const before = `arrayPopBack(arrayPushFront(arrayFill(start -> start > 0, starts${index}), 0))`;
    const isNext = `bitTest(hit.2, ${index}) and start > 0 ${inTime}`;
    return `arrayMap((hit, start) -> if(${isNext}, start, 0), hits, ${before}) as starts${index + 1}`;
  });
  return starts.join(', ');
}
