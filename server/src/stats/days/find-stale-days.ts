import type { Store } from '../../store/open-store.ts';

// The projection answers this for all websites at once.
const question = `
  select r.website_id as websiteId, toString(min(r.day)) as from, toString(max(r.day)) as to, count() as days
  from (
    select website_id, day, count() as records, sum(visitor_id) as checksum
    from records
    group by website_id, day
  ) as r
  left join (select * from day_builds final) as b on r.website_id = b.website_id and r.day = b.day
  where r.day < {before:Date}
    and (b.build = 0 or b.is_open or r.records != b.records or r.checksum != b.checksum)
  group by websiteId
  order by websiteId`;

export type StaleDays = { websiteId: number; from: string; to: string; days: number };

/**
 * Finds websites with days before a date that were never built, have changed since, or are still in the
 * tables of days that change.
 */
export async function findStaleDays(store: Pick<Store, 'query'>, before: string): Promise<StaleDays[]> {
  return await store.query<StaleDays>({ query: question, params: { before } });
}
