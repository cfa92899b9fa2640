import type { Filter, FunnelStep } from '@trackside/contract/stats/questions.ts';
/**
 * A second implementation of the reports, in plain TypeScript over records in memory. It shares nothing with
 * the SQL.
 */
import type { FunnelInput, FunnelResult } from '../../src/stats/reports/ask-funnel.ts';
import type { PathsInput, PathsResult } from '../../src/stats/reports/ask-paths.ts';
import type { RetentionInput, RetentionResult } from '../../src/stats/reports/ask-retention.ts';
import type { ReportScope } from '../../src/stats/reports/chosen-visits.ts';
import { visitsOf } from './oracle.ts';
import type { TestRecord } from './records.ts';

type Visit = ReturnType<typeof visitsOf>[number];

const dayMs = 86_400_000;

/** The dimensions that the tests of the reports filter by. */
export type TestedFilter = Filter & {
  dimension: 'country' | 'entryPage' | 'visitorType' | 'page' | 'host' | 'event' | 'parameterValue';
};

function valuesOf(filter: TestedFilter, visit: Visit, record: TestRecord): string[] {
  switch (filter.dimension) {
    case 'country':
      return [visit.records[0]!.country];
    case 'entryPage':
      return [visit.records.find(({ kind }) => kind === 'page_view')?.path ?? ''];
    case 'visitorType':
      if (!visit.hasClientId) return [''];
      return [visit.isReturning ? 'returning' : 'new'];
    case 'page':
      return [record.path];
    case 'host':
      return [record.host];
    case 'event':
      return [record.event];
    case 'parameterValue':
      return record.parameters
        .filter(({ name }) => filter.of === undefined || name === filter.of)
        .map(({ value }) => value);
  }
}

function holds(filter: TestedFilter, values: string[]): boolean {
  if ('isNot' in filter) return !values.includes(filter.isNot);
  return values.some((value) => {
    if ('contains' in filter) return value.toLowerCase().includes(filter.contains.toLowerCase());
    return 'anyOf' in filter ? filter.anyOf.includes(value) : value === filter.is;
  });
}

function chosenVisits(records: readonly TestRecord[], { period, filters }: ReportScope): Visit[] {
  return visitsOf(records)
    .filter(({ day }) => day >= period.from && day <= period.to)
    .filter((visit) =>
      visit.records.some((record) =>
        (filters as readonly TestedFilter[]).every((filter) =>
          holds(filter, valuesOf(filter, visit, record)),
        ),
      ),
    );
}

function isStep(step: FunnelStep, record: TestRecord): boolean {
  if ('event' in step) {
    if (record.kind !== 'event' || record.event !== step.event) return false;
    const { parameter } = step;
    return (
      parameter === undefined ||
      record.parameters.some(({ name, value }) => name === parameter.name && value === parameter.value)
    );
  }
  if (record.kind !== 'page_view') return false;
  const { page } = step;
  return page.at(-1) === '*' ? record.path.startsWith(page.slice(0, -1)) : record.path === page;
}

const clockMs = ({ localAt }: TestRecord) => Date.parse(`${localAt.replace(' ', 'T')}Z`);

/** Tries every record as the first step. From there, each step is taken as early as possible. */
function stepsTaken(records: readonly TestRecord[], steps: readonly FunnelStep[], limitMs: number): number {
  let most = 0;
  for (const [index, first] of records.entries()) {
    if (!isStep(steps[0]!, first)) continue;
    let taken = 1;
    for (const record of records.slice(index + 1)) {
      const isInTime = clockMs(record) - clockMs(first) <= limitMs;
      if (taken < steps.length && isInTime && isStep(steps[taken]!, record)) taken += 1;
    }
    most = Math.max(most, taken);
  }
  return most;
}

/** The records that match a step: their time, and a number that is smaller if they match only earlier steps. */
function hitsOf({ records }: Visit, steps: readonly FunnelStep[]): number[] {
  return records.flatMap((record) => {
    const rank = steps.reduce((sum, step, index) => sum + (isStep(step, record) ? 2 ** index : 0), 0);
    return rank === 0 ? [] : [clockMs(record), rank];
  });
}

/** For visits that began in the same second: the one that comes to an earlier step sooner is first. */
function compareHits(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? a.length - b.length : a[at]! - (b[at] ?? Number.NEGATIVE_INFINITY);
}

export function funnelOracle(records: readonly TestRecord[], input: FunnelInput): FunnelResult {
  const { steps, within } = input;
  const visits = chosenVisits(records, input);
  const taken = new Map<bigint, number>();
  for (const [visitorId, own] of Map.groupBy(visits, (visit) => visit.visitorId)) {
    if (within === undefined || within === 'visit') {
      const each = own.map((visit) => stepsTaken(visit.records, steps, Number.POSITIVE_INFINITY));
      taken.set(visitorId, Math.max(...each));
    } else if (own[0]!.hasClientId) {
      const hits = new Map(own.map((visit) => [visit, hitsOf(visit, steps)]));
      const inOrder = own.toSorted(
        (a, b) => clockMs(a.records[0]!) - clockMs(b.records[0]!) || compareHits(hits.get(a)!, hits.get(b)!),
      );
      // A person can have visits on two devices at once.
      const all = inOrder.flatMap((visit) => visit.records).toSorted((a, b) => clockMs(a) - clockMs(b));
      taken.set(visitorId, stepsTaken(all, steps, within.days * dayMs));
    }
  }
  const visitors = steps.map((_, index) => [...taken.values()].filter((count) => count >= index + 1).length);
  return {
    steps: steps.map((step, index) => ({
      step,
      visitors: visitors[index]!,
      shareOfFirst: visitors[0] === 0 ? null : visitors[index]! / visitors[0]!,
      shareOfPrevious:
        index === 0 || visitors[index - 1] === 0 ? null : visitors[index]! / visitors[index - 1]!,
    })),
  };
}

function mondayOf(day: string): string {
  const date = new Date(day);
  while (date.getUTCDay() !== 1) date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

export function retentionOracle(records: readonly TestRecord[], input: RetentionInput): RetentionResult {
  const { from, to } = input.period;
  const visits = chosenVisits(records, input);
  const clients = visits.filter((visit) => visit.hasClientId);
  const weeksOf = new Map<bigint, Set<string>>();
  for (const { visitorId, day } of clients) {
    weeksOf.set(visitorId, (weeksOf.get(visitorId) ?? new Set()).add(mondayOf(day)));
  }
  const firstDayOf = new Map<bigint, string>();
  for (const { visitorId, day } of visitsOf(records).toSorted((a, b) => (a.day < b.day ? -1 : 1))) {
    if (!firstDayOf.has(visitorId)) firstDayOf.set(visitorId, day);
  }
  const isNewIn = (id: bigint, week: string) => {
    const first = firstDayOf.get(id)!;
    return first >= from && mondayOf(first) === week;
  };
  const weeksOfPeriod = new Set<string>();
  for (let ms = Date.parse(from); ms <= Date.parse(to); ms += dayMs) {
    weeksOfPeriod.add(mondayOf(new Date(ms).toISOString().slice(0, 10)));
  }
  const mondays = [...weeksOfPeriod];
  const cohorts = mondays.map((week) => {
    const members = [...weeksOf].filter(([id, weeks]) => isNewIn(id, week) && weeks.has(week));
    const weeks = mondays
      .filter((monday) => monday >= week)
      .map((monday) => members.filter(([, visited]) => visited.has(monday)).length);
    return { week, visitors: members.length, weeks };
  });
  const others = visits.filter((visit) => !visit.hasClientId);
  return { cohorts, visitorsWithoutClientId: new Set(others.map(({ visitorId }) => visitorId)).size };
}

export function pathsOracle(records: readonly TestRecord[], input: PathsInput): PathsResult {
  const trails = chosenVisits(records, input).flatMap((visit) => {
    const pages: string[] = [];
    for (const { kind, path } of visit.records) {
      if (kind === 'page_view' && pages.at(-1) !== path) pages.push(path);
    }
    const place = pages.indexOf(input.page);
    return place === -1
      ? []
      : [{ before: pages.slice(0, place).toReversed(), after: pages.slice(place + 1) }];
  });
  const stepsOf = (direction: 'before' | 'after') =>
    Array.from({ length: input.steps }, (_, index) => {
      const seen = trails.flatMap((trail) => trail[direction].slice(index, index + 1));
      const pages = [...Map.groupBy(seen, (page) => page)]
        .map(([page, all]) => ({ page, visits: all.length }))
        .sort((a, b) => b.visits - a.visits || Buffer.compare(Buffer.from(a.page), Buffer.from(b.page)));
      return { step: index + 1, visits: seen.length, pages: pages.slice(0, input.limit) };
    });
  return {
    visits: trails.length,
    entries: trails.filter(({ before }) => before.length === 0).length,
    exits: trails.filter(({ after }) => after.length === 0).length,
    before: stepsOf('before'),
    after: stepsOf('after'),
  };
}
