import type { Answers, WithoutAbout } from '@trackside/contract/stats/answers.ts';
import { occurredAtSql } from '../../records/occurred-at.ts';
import { stitchedVisits } from '../../store/stitched-visits.ts';
import type { WebsiteStore } from '../../store/website-store.ts';

export type Live = WithoutAbout<Answers['live']>;

type Row = Live['minutes'][number] & { isMinute: boolean };

const minuteMs = 60_000;
const minutes = 30;
const presentMinutes = 5;

// The condition on days covers the last half hour in every timezone, and keeps the store from reading more.
const visits = stitchedVisits({
  where: `
    website_id = {website_id:UInt32}
    and day between toDate({now:Int64} / 1000, 'UTC') - 2 and toDate({now:Int64} / 1000, 'UTC') + 1
    and ${occurredAtSql()} > fromUnixTimestamp64Milli({now:Int64} - ${minutes * minuteMs}, 'UTC')
    and received_at <= fromUnixTimestamp64Milli({now:Int64}, 'UTC')
    and not is_bot`,
  columns: ['kind'],
});

// Both numbers come from the same visits, so that someone who has just signed in is one visitor in both.
const question = `
  select
    minutesAgo, uniqExact(visitor_id) as visitors,
    countIf(record.${visits.member('kind')} = 'page_view') as pageViews,
    grouping(minutesAgo) = 0 as isMinute
  from (${visits.select(`
    visitor_id, arrayJoin(visit) as record,
    intDiv({now:Int64} - toUnixTimestamp64Milli(record.1), ${minuteMs}) as minutesAgo,
    minutesAgo < ${presentMinutes} as isPresent`)})
  group by grouping sets ((minutesAgo), (isPresent))
  having isMinute or isPresent`;

export async function askLive(store: WebsiteStore, nowMs: number): Promise<Live> {
  const rows = await store.query<Row>({ query: question, params: { now: nowMs } });
  const byMinute = new Map(rows.filter(({ isMinute }) => isMinute).map((row) => [row.minutesAgo, row]));
  return {
    visitors: rows.find(({ isMinute }) => !isMinute)?.visitors ?? 0,
    minutes: Array.from({ length: minutes }, (_, index) => {
      const minutesAgo = minutes - 1 - index;
      const { visitors = 0, pageViews = 0 } = byMinute.get(minutesAgo) ?? {};
      return { minutesAgo, visitors, pageViews };
    }),
  };
}
