import type { Answers, WithoutAbout } from '@trackside/contract/stats/answers.ts';
import type { WebsiteStore } from '../../store/website-store.ts';

export type Live = WithoutAbout<Answers['live']>;

const minuteMs = 60_000;
const minutes = 30;
const presentMinutes = 5;

// The condition on days covers the last half hour in every timezone, and keeps the store from reading more.
const question = `
  select
    intDiv({now:Int64} - toUnixTimestamp64Milli(received_at), 60000) as minutesAgo,
    uniqExact(visitor_id) as visitors,
    countIf(kind = 'page_view') as pageViews
  from records
  where website_id = {website_id:UInt32}
    and day between toDate({now:Int64} / 1000, 'UTC') - 2 and toDate({now:Int64} / 1000, 'UTC') + 1
    and received_at > fromUnixTimestamp64Milli({since:Int64}, 'UTC')
    and received_at <= fromUnixTimestamp64Milli({now:Int64}, 'UTC')
    and not is_bot
  group by minutesAgo
  order by minutesAgo`;

const present = `
  select uniqExact(visitor_id) as visitors
  from records
  where website_id = {website_id:UInt32}
    and day between toDate({now:Int64} / 1000, 'UTC') - 2 and toDate({now:Int64} / 1000, 'UTC') + 1
    and received_at > fromUnixTimestamp64Milli({since:Int64}, 'UTC')
    and received_at <= fromUnixTimestamp64Milli({now:Int64}, 'UTC')
    and not is_bot`;

export async function askLive(store: WebsiteStore, nowMs: number): Promise<Live> {
  const since = (count: number) => ({ now: nowMs, since: nowMs - count * minuteMs });
  const [rows, [now]] = await Promise.all([
    store.query<Live['minutes'][number]>({ query: question, params: since(minutes) }),
    store.query<{ visitors: number }>({ query: present, params: since(presentMinutes) }),
  ]);
  const byMinute = new Map(rows.map((row) => [row.minutesAgo, row]));
  return {
    visitors: now?.visitors ?? 0,
    minutes: Array.from({ length: minutes }, (_, index) => {
      const minutesAgo = minutes - 1 - index;
      const { visitors = 0, pageViews = 0 } = byMinute.get(minutesAgo) ?? {};
      return { minutesAgo, visitors, pageViews };
    }),
  };
}
