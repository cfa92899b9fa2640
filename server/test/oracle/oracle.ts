import type { DimensionName } from '@trackside/contract/stats/dimensions.ts';
import type { Filter, Goal, Key } from '@trackside/contract/stats/questions.ts';
import type { Question } from '../../src/stats/question/read-question.ts';
/**
 * A second implementation of the statistics, in plain TypeScript over records in memory, written from the
 * definitions in docs/statistics.md. It shares nothing with the SQL.
 */
import type { CountedRow } from '../../src/stats/sql/ask-visits.ts';
import { type AddressRules, plainRules } from '../../src/text/address-rules.ts';
import { asShown, byRules } from './oracle-addresses.ts';
import { occurredAtMs, type TestRecord } from './records.ts';

type Visit = {
  visitorId: bigint;
  hasClientId: boolean;
  day: string;
  records: TestRecord[];
  isReturning: boolean;
};

const gapMs = 30 * 60 * 1000;

export function visitsOf(records: readonly TestRecord[], rules: AddressRules = plainRules): Visit[] {
  const people = records.filter(({ isBot }) => !isBot).map(asShown);
  const firstDays = new Map<bigint, string>();
  for (const { visitorId, day } of people) {
    const known = firstDays.get(visitorId);
    if (known === undefined || day < known) firstDays.set(visitorId, day);
  }
  const toVisit = (own: TestRecord[], { visitorId, hasClientId, day }: TestRecord): Visit => ({
    visitorId,
    hasClientId,
    day,
    records: own.map((record) => byRules(record, rules)),
    isReturning: firstDays.get(visitorId)! < day,
  });
  return [...Map.groupBy(people, ({ deviceId, day }) => `${deviceId} ${day}`).values()]
    .flatMap((ofDevice) => splitAtGaps(ofDevice.toSorted(compareRecords)))
    .flatMap((stretch) => {
      const signedIn = stretch.filter(({ hasClientId }) => hasClientId);
      const clients = new Set(signedIn.map(({ visitorId }) => visitorId));
      if (clients.size <= 1) return [toVisit(stretch, signedIn[0] ?? stretch[0]!)];
      return [...Map.groupBy(stretch, ({ visitorId }) => visitorId).values()]
        .flatMap(splitAtGaps)
        .map((own) => toVisit(own, own[0]!));
    });
}

function splitAtGaps(sorted: readonly TestRecord[]): TestRecord[][] {
  const stretches: TestRecord[][] = [];
  for (const [index, record] of sorted.entries()) {
    if (index === 0 || occurredAtMs(record) - occurredAtMs(sorted[index - 1]!) >= gapMs) stretches.push([]);
    stretches.at(-1)!.push(record);
  }
  return stretches;
}

/**
 * Compares records by when they happened, then by when they came, and within a millisecond by their order at
 * the node that received them. Records
 * of different nodes are compared by their values, so that there is always one order.
 */
function compareRecords(a: TestRecord, b: TestRecord): number {
  const inOrder = (r: TestRecord) => [
    occurredAtMs(r),
    r.receivedAtMs,
    r.receivedOrder,
    r.kind === 'event' ? 1 : 0,
    r.host,
    r.path,
    r.query,
    r.event,
    r.referrer,
    r.source,
    r.channel,
    ...r.utm,
    r.continent,
    r.country,
    r.region,
    r.regionCode,
    r.city,
    r.postalCode,
    r.timezone,
    r.language,
    r.browser,
    r.browserVersion,
    r.os,
    r.osVersion,
    r.device,
    ...r.screen,
  ];
  const other = inOrder(b);
  for (const [index, value] of inOrder(a).entries()) {
    const order = compareValues(value, other[index]!);
    if (order !== 0) return order;
  }
  return 0;
}

function compareValues(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}

/** Returns a record's values for a dimension, within its visit: none, one or several. */
function valuesOf(key: Key, record: TestRecord, visit: Visit): string[] {
  const first = visit.records[0]!;
  const views = visit.records.filter(({ kind }) => kind === 'page_view');
  const parameters = record.parameters.filter(({ name }) => key.of === undefined || name === key.of);
  const query = record.query
    .split('&')
    .filter((part) => part !== '')
    .map((part) => part.split(/=(.*)/s).map((text) => decodeURIComponent(text.replaceAll('+', ' '))))
    .map(([name = '', value = '']) => ({ name, value }));
  const named: Record<DimensionName, () => string | string[]> = {
    page: () => record.path,
    entryPage: () => views[0]?.path ?? '',
    exitPage: () => views.at(-1)?.path ?? '',
    host: () => record.host,
    queryParameter: () =>
      key.of === undefined
        ? query.map(({ name }) => name)
        : query.filter(({ name }) => name === key.of).map(({ value }) => value),
    source: () => first.source,
    channel: () => first.channel,
    referrer: () => first.referrer,
    utmSource: () => first.utm[0],
    utmMedium: () => first.utm[1],
    utmCampaign: () => first.utm[2],
    utmTerm: () => first.utm[3],
    utmContent: () => first.utm[4],
    continent: () => first.continent,
    country: () => first.country,
    region: () => first.region,
    regionCode: () => first.regionCode,
    city: () => first.city,
    postalCode: () => first.postalCode,
    language: () => first.language,
    timezone: () => first.timezone,
    browser: () => first.browser,
    browserVersion: () => `${first.browser} ${first.browserVersion}`.trimEnd(),
    os: () => first.os,
    osVersion: () => `${first.os} ${first.osVersion}`.trimEnd(),
    device: () => first.device,
    screenSize: () => (first.screen.includes(0) ? '' : first.screen.join('×')),
    event: () => record.event,
    parameterName: () => record.parameters.map(({ name }) => name),
    parameterValue: () => parameters.map(({ value }) => value),
    hour: () => record.localAt.slice(11, 13),
    weekday: () => String(new Date(visit.day).getUTCDay() || 7),
    visitorType: () => (!visit.hasClientId ? '' : visit.isReturning ? 'returning' : 'new'),
  };
  return [named[key.dimension]()].flat();
}

const optional: readonly DimensionName[] = [
  'entryPage',
  'exitPage',
  'queryParameter',
  'referrer',
  'event',
  'parameterName',
  'parameterValue',
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
  'visitorType',
];

function holds(filter: Filter, values: string[]): boolean {
  if ('contains' in filter)
    return values.some((value) => value.toLowerCase().includes(filter.contains.toLowerCase()));
  if ('anyOf' in filter) return values.some((value) => filter.anyOf.includes(value));
  return 'is' in filter ? values.includes(filter.is) : !values.includes(filter.isNot);
}

function timeOf(question: Question, record: TestRecord): string | undefined {
  const { day, localAt } = record;
  const minute = localAt.slice(0, 16).replace(' ', 'T');
  switch (question.interval) {
    case 'minute':
      return minute;
    case 'hour':
      return `${minute.slice(0, 13)}:00`;
    case 'day':
      return day;
    case 'week': {
      const date = new Date(day);
      return new Date(date.getTime() - ((date.getUTCDay() + 6) % 7) * 86_400_000).toISOString().slice(0, 10);
    }
    case 'month':
      return `${day.slice(0, 7)}-01`;
    default:
      return undefined;
  }
}

/** Returns all combinations of the values that a record has for each of the keys. */
function combinations(lists: string[][]): string[][] {
  return lists.reduce<string[][]>(
    (all, values) => all.flatMap((before) => [...new Set(values)].map((value) => [...before, value])),
    [[]],
  );
}

/** Whether a record is an event that is the goal, or a view of a page that its pattern fits. */
export function reaches(goal: Goal, { kind, event, path }: TestRecord): boolean {
  if ('event' in goal) return event === goal.event;
  const parts = goal.page.split('*').map((part) => part.replace(/[^\w]/g, '\\$&'));
  return kind === 'page_view' && new RegExp(`^${parts.join('.*')}$`, 's').test(path);
}

/** Returns every row of the answer, in no particular order. */
export function askOracle(
  records: readonly TestRecord[],
  question: Question,
  rules?: AddressRules,
): CountedRow[] {
  const { period, dimensions, filters, goal } = question;
  const groups = new Map<
    string,
    { time: string | undefined; values: string[]; hits: [Visit, TestRecord][] }
  >();
  for (const visit of visitsOf(records, rules)) {
    if (visit.day < period.from || visit.day > period.to) continue;
    for (const record of visit.records) {
      if (!filters.every((filter) => holds(filter, valuesOf(filter, record, visit)))) continue;
      const minute = record.localAt.slice(0, 16);
      if (period.fromTime !== undefined && minute < `${period.from} ${period.fromTime}`) continue;
      if (period.toTime !== undefined && minute > `${period.to} ${period.toTime}`) continue;
      const time = timeOf(question, record);
      for (const values of combinations(dimensions.map((key) => valuesOf(key, record, visit)))) {
        if (values.some((value, index) => value === '' && optional.includes(dimensions[index]!.dimension)))
          continue;
        const name = JSON.stringify([time, values]);
        if (!groups.has(name)) groups.set(name, { time, values, hits: [] });
        groups.get(name)!.hits.push([visit, record]);
      }
    }
  }
  const isWhole = dimensions.length === 0 && question.interval === undefined;
  if (isWhole && groups.size === 0) groups.set('', { time: undefined, values: [], hits: [] });
  return [...groups.values()].map(({ time, values, hits }) => {
    const visits = [...new Set(hits.map(([visit]) => visit))];
    const converts = ({ records: all }: Visit) =>
      goal !== undefined && all.some((record) => reaches(goal, record));
    const isBounce = ({ records: all }: Visit) => all.length === 1 && all[0]!.kind === 'page_view';
    const counts = {
      visitors: new Set(visits.map(({ visitorId }) => visitorId)).size,
      visits: visits.length,
      pageViews: hits.filter(([, { kind }]) => kind === 'page_view').length,
      events: hits.filter(([, { kind }]) => kind === 'event').length,
      bounces: visits.filter(isBounce).length,
      durationMs: visits.reduce(
        (sum, { records: all }) => sum + occurredAtMs(all.at(-1)!) - occurredAtMs(all[0]!),
        0,
      ),
      converted: new Set(visits.filter(converts).map(({ visitorId }) => visitorId)).size,
    };
    return { time, values, counts };
  });
}
