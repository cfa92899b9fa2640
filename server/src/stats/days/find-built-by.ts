import type { Store } from '../../store/open-store.ts';
import type { WebsiteStore } from '../../store/website-store.ts';

/** A website with days that were built by these rules. */
export type BuiltBy = { websiteId: number; rules: string };

/** Finds by which rules the current builds of all websites were made. */
export async function findBuiltBy(store: Pick<Store, 'query'>): Promise<BuiltBy[]> {
  return await store.query<BuiltBy>({
    query: `
      select website_id as websiteId, rules
      from day_builds final
      group by websiteId, rules
      order by websiteId, rules`,
  });
}

/** Lists the days of a website that were built by these rules, in their order. */
export async function listDaysBuiltBy(website: WebsiteStore, rules: string): Promise<string[]> {
  const rows = await website.query<{ built: string }>({
    query: `
      select toString(day) as built
      from day_builds final
      where website_id = {website_id:UInt32} and rules = {rules:String}
      order by built`,
    params: { rules },
  });
  return rows.map(({ built }) => built);
}
