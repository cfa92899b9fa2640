import type { MetricName } from '@trackside/contract/stats/metrics.ts';

/** Returns the SQL for a number over rows that meet these conditions. */
type CountSql = (...conditions: string[]) => string;

/**
 * How one number is counted, as SQL. The columns are those of visits, and what matches the filters in them:
 * `matched_views`, `matched_events`, `is_bounce` and `has_converted`, or `of_event` for a record.
 */
type Counting = {
  /** Over rows that are visits. */
  ofVisits: CountSql;
  /**
   * Over rows that are records. A visit counts with the first of its records that has the value: `nth = 1`.
   */
  ofRecords: CountSql;
  /**
   * Over rows that are entries of lists: a visit, or a record of it, with the number of page views and events
   * in it. A visit counts with the entry that `is_first` among those with the same value.
   */
  ofEntries: CountSql;
  /** The column of the rollups that keeps it for each day. */
  column?: string;
  /** Only if it is a number of visitors: what one of their visits has to meet. */
  visitorsWith?: readonly string[];
};

/** What makes a visit a bounce, as SQL on a visit. */
export const isBounce = 'page_views = 1 and events = 0';

const isFirst = 'nth = 1';
const isFirstEntry = 'is_first';

/** Counts rows. */
const rows =
  (...of: string[]): CountSql =>
  (...conditions) => {
    const all = [...of, ...conditions];
    return all.length === 0 ? 'count()' : `countIf(${all.join(' and ')})`;
  };

/** Adds up a column of the rows. */
const sum =
  (column: string, ...of: string[]): CountSql =>
  (...conditions) => {
    const all = [...of, ...conditions];
    return all.length === 0 ? `sum(${column})` : `sumIf(${column}, ${all.join(' and ')})`;
  };

/**
 * Counts visitors. Most of them have a single visit on their day and no ClientId to be recognized by on
 * another, so their visits are counted. Only the others need a set of those who were seen.
 */
const visitors =
  ({ single = [], all = [] }: { single?: string[]; all?: string[] }): CountSql =>
  (...conditions) => {
    const singles = rows('is_single', ...single, ...all)(...conditions);
    return `${singles} + uniqExactIf(visitor_id, ${withSeveralVisits(...all, ...conditions)})`;
  };

const withSeveralVisits = (...conditions: string[]) => ['not is_single', ...conditions].join(' and ');

/**
 * The counts that all metrics are made of, in the order of the columns in statements. All of them can be
 * added up over days, except for visitors with a ClientId.
 */
const countings = {
  visitors: {
    ofVisits: visitors({}),
    ofRecords: visitors({ single: [isFirst] }),
    ofEntries: visitors({ single: [isFirstEntry] }),
    column: 'visitors',
    visitorsWith: [],
  },
  visits: { ofVisits: rows(), ofRecords: rows(isFirst), ofEntries: rows(isFirstEntry), column: 'visits' },
  pageViews: {
    ofVisits: sum('matched_views'),
    ofRecords: rows('not of_event'),
    ofEntries: sum('views_of_entry'),
    column: 'page_views',
  },
  events: {
    ofVisits: sum('matched_events'),
    ofRecords: rows('of_event'),
    ofEntries: sum('events_of_entry'),
    column: 'events',
  },
  bounces: {
    ofVisits: sum('is_bounce'),
    ofRecords: sum('is_bounce', isFirst),
    ofEntries: sum('is_bounce', isFirstEntry),
    column: 'bounces',
  },
  durationMs: {
    ofVisits: sum('duration_ms'),
    ofRecords: sum('duration_ms', isFirst),
    ofEntries: sum('duration_ms', isFirstEntry),
    column: 'duration_ms',
  },
  // Visitors with a visit in which the goal was reached. Questions have different goals, so no sum of
  // these is kept.
  converted: {
    ofVisits: visitors({ all: ['has_converted'] }),
    ofRecords: visitors({ single: [isFirst], all: ['has_converted'] }),
    ofEntries: visitors({ single: [isFirstEntry], all: ['has_converted'] }),
    visitorsWith: ['has_converted'],
  },
} as const satisfies Record<string, Counting>;

export type CountName = keyof typeof countings;
export type Counts = Record<CountName, number>;
export const countNames = Object.keys(countings) as readonly CountName[];

const entries = Object.entries<Counting>(countings);

/** A number by which rows that count now, `is_now`, differ from rows that counted before, `was_before`. */
const differenceSql = (of: CountSql) => `toInt64(${of('is_now')}) - toInt64(${of('was_before')})`;

/**
 * The counts over rows that are visits, records or entries, or by how much a change makes them differ. A
 * count that is not needed is 0, and costs nothing.
 */
export function countsSql(
  of: 'ofVisits' | 'ofRecords' | 'ofEntries',
  { needed, isDifference }: { needed: ReadonlySet<CountName>; isDifference: boolean },
): string {
  const toSql = isDifference ? differenceSql : (count: CountSql) => count();
  return entries
    .map(([name, counting]) => `${needed.has(name as CountName) ? toSql(counting[of]) : '0'} as ${name}`)
    .join(', ');
}

/** The counts of each group of visits, in parts from which those of several groups can be made. */
export function partialCountsSql(needed: ReadonlySet<CountName>): string {
  return entries
    .filter(([name]) => needed.has(name as CountName))
    .map(([name, { ofVisits, visitorsWith }]) => {
      if (visitorsWith === undefined) return `${ofVisits()} as part_of_${name}`;
      const others = withSeveralVisits(...visitorsWith);
      return `
        ${rows('is_single', ...visitorsWith)()} as part_of_${name},
        uniqExactStateIf(visitor_id, ${others}) as rest_of_${name}`;
    })
    .join(', ');
}

/** The counts over rows that have them in parts. */
export function joinedCountsSql(needed: ReadonlySet<CountName>): string {
  return entries
    .map(([name, { visitorsWith }]) => {
      if (!needed.has(name as CountName)) return `0 as ${name}`;
      const rest = visitorsWith === undefined ? '' : ` + uniqExactMerge(rest_of_${name})`;
      return `sum(part_of_${name})${rest} as ${name}`;
    })
    .join(', ');
}

/** The number of visitors of the rows that meet a condition. The rows are visits. */
export const visitorsSql = (condition: string): string => countings.visitors.ofVisits(condition);

/** The counts that the rollups keep, in the order of their columns. */
export const keptCounts = Object.values<Counting>(countings).filter(
  (counting): counting is Required<Counting> => counting.column !== undefined,
);

/** The counts of rows of the rollups, which are `r`. Visitors are added up unless another way is given. */
export function sumsOfRollups(visitors = 'sum(r.visitors)'): string {
  const sumOf = (name: string, column: string | undefined) => {
    if (name === 'visitors') return visitors;
    return column === undefined ? '0' : `sum(r.${column})`;
  };
  return entries.map(([name, { column }]) => `${sumOf(name, column)} as ${name}`).join(', ');
}

/** Turns a list into counts, in the order of their names. A missing value is 0. */
export function toCounts(list: readonly (number | undefined)[]): Counts {
  return Object.fromEntries(countNames.map((name, at) => [name, list[at] ?? 0])) as Counts;
}

export const noCounts: Counts = toCounts([]);

export function addCounts(a: Counts, b: Counts): Counts {
  const sum = { ...a };
  for (const name of countNames) sum[name] += b[name];
  return sum;
}

type Metric = { sql: string; of: (counts: Counts) => number | null; from: readonly CountName[] };

const share = (part: number, whole: number) => (whole === 0 ? null : part / whole);

/**
 * How each metric is calculated from counts, which are `from`. `sql` is for ordering; its columns have the
 * names of the counts.
 */
export const metrics = {
  visitors: { sql: 'visitors', of: (c) => c.visitors, from: ['visitors'] },
  visits: { sql: 'visits', of: (c) => c.visits, from: ['visits'] },
  pageViews: { sql: 'pageViews', of: (c) => c.pageViews, from: ['pageViews'] },
  events: { sql: 'events', of: (c) => c.events, from: ['events'] },
  viewsPerVisit: {
    sql: 'if(visits = 0, 0, pageViews / visits)',
    of: (c) => share(c.pageViews, c.visits),
    from: ['pageViews', 'visits'],
  },
  bounceRate: {
    sql: 'if(visits = 0, 0, bounces / visits)',
    of: (c) => share(c.bounces, c.visits),
    from: ['bounces', 'visits'],
  },
  visitDuration: {
    sql: 'if(visits = 0, 0, durationMs / visits)',
    of: (c) => share(c.durationMs, 1000 * c.visits),
    from: ['durationMs', 'visits'],
  },
  eventsPerVisitor: {
    sql: 'if(visitors = 0, 0, events / visitors)',
    of: (c) => share(c.events, c.visitors),
    from: ['events', 'visitors'],
  },
  conversions: { sql: 'converted', of: (c) => c.converted, from: ['converted'] },
  conversionRate: {
    sql: 'if(visitors = 0, 0, converted / visitors)',
    of: (c) => share(c.converted, c.visitors),
    from: ['converted', 'visitors'],
  },
} as const satisfies Record<MetricName, Metric>;

/** The counts from which the metrics of a question, and its order, are calculated. */
export function neededCounts(asked: {
  metrics: readonly MetricName[];
  order: readonly { by: MetricName | 'dimension' }[];
}): Set<CountName> {
  const ordered = asked.order.flatMap(({ by }) => (by === 'dimension' ? [] : [by]));
  return new Set([...asked.metrics, ...ordered].flatMap((name) => metrics[name].from));
}
