import type { WebsiteStore } from '../../store/of-website.ts';
import { wholeDay } from '../days/build-rollups.ts';
import type { Counts } from '../question/metrics.ts';
import { mondayOf } from '../question/periods.ts';
import type { Question } from '../question/question.ts';
import { type Counted, toCounts } from './ask-visits.ts';

type DayCounts = { day: string } & Counts;

export type AskDays = ReturnType<typeof createAskDays>;

const query = `
  select
    toString(day) as day, sum(r.visitors) as visitors, sum(r.visits) as visits, sum(page_views) as pageViews,
    sum(r.events) as events, sum(r.bounces) as bounces, sum(duration_ms) as durationMs, 0 as converted
  from rollups as r
  where website_id = {website_id:UInt32} and dimension = '${wholeDay}'
    and r.day between {from:Date} and {to:Date} and build in {builds:Array(UInt64)}
  group by day
  order by day`;

/**
 * The whole, or a series of days, weeks or months: all of them are sums of the same days. A screen asks for several of
 * them at once, and those that come while one is being answered share its days.
 */
export function createAskDays() {
  const underWay = new Map<string, Promise<DayCounts[]>>();

  function daysOf(store: WebsiteStore, { from, to }: Question['period'], builds: readonly string[]) {
    const key = `${store.websiteId} ${from} ${to} ${builds.join()}`;
    const known = underWay.get(key);
    if (known !== undefined) return known;
    const params = { from, to, builds: builds.map(BigInt) };
    const days = store.query<DayCounts>({ query, params, isQuick: true }).finally(() => underWay.delete(key));
    underWay.set(key, days);
    return days;
  }

  return async (store: WebsiteStore, question: Question, builds: readonly string[]): Promise<Counted> => {
    const days = await daysOf(store, question.period, builds);
    const groups = Map.groupBy(days, ({ day }) => timeOf(question, day));
    if (question.interval === undefined && days.length === 0) groups.set(undefined, []);
    const rows = [...groups].map(([time, of]) => ({ time, values: [], counts: of.reduce(add, nothing) }));
    return { rows, totalRows: rows.length };
  };
}

/** Whether a question is a sum of whole days. */
export function isOfDays({ dimensions, filters, interval }: Question): boolean {
  return dimensions.length === 0 && filters.length === 0 && interval !== 'hour' && interval !== 'minute';
}

function timeOf({ interval }: Question, day: string): string | undefined {
  if (interval === 'week') return mondayOf(day);
  if (interval === 'month') return `${day.slice(0, 7)}-01`;
  return interval === undefined ? undefined : day;
}

const nothing: Counts = {
  ...{ visitors: 0, visits: 0, pageViews: 0, events: 0, bounces: 0, durationMs: 0, converted: 0 },
};

function add(sum: Counts, day: Counts): Counts {
  const next = toCounts(day);
  return {
    visitors: sum.visitors + next.visitors,
    visits: sum.visits + next.visits,
    pageViews: sum.pageViews + next.pageViews,
    events: sum.events + next.events,
    bounces: sum.bounces + next.bounces,
    durationMs: sum.durationMs + next.durationMs,
    converted: sum.converted + next.converted,
  };
}
