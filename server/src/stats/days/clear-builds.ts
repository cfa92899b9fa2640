import type { Store } from '../../store/open-store.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { buildNumberAt } from './build-numbers.ts';

/** Where builds are: first those of days that may still change, then those of past days. */
const tablesOfDays = [
  ['open_rollups', 'closed_rollups'],
  ['open_visits', 'closed_visits', 'ended_visits'],
] as const;

/** Removes builds that are no longer current. */
export async function clearBuilds(
  store: WebsiteStore,
  builds: readonly { build: string; isOpen: boolean }[],
): Promise<void> {
  const open = builds.filter(({ isOpen }) => isOpen).map(({ build }) => BigInt(build));
  const closed = builds.filter(({ isOpen }) => !isOpen).map(({ build }) => BigInt(build));
  // The visits go last: if this ends halfway, they still tell whose builds these are.
  for (const [openTable, ...closedTables] of tablesOfDays) {
    // A partition cannot be a bound parameter. Only numbers get into the text.
    for (const build of open)
      await store.run({ query: `alter table ${openTable} drop partition (${store.websiteId}, ${build})` });
    if (closed.length === 0) continue;
    for (const table of closedTables) {
      await store.run({
        query: `
          alter table ${table}
          delete where website_id = ${store.websiteId} and build in (${closed.join(', ')})`,
      });
    }
  }
}

export type Orphan = { websiteId: number; build: string; isOpen: boolean };

/**
 * Finds builds that are neither current nor the base of a current one, and began before a moment. They were
 * replaced, or left behind by a process that ended in the middle. A build's number tells when it began.
 */
export async function findOrphans(store: Pick<Store, 'query'>, beforeMs: number): Promise<Orphan[]> {
  const rows = await store.query<{ website_id: number; build_text: string; is_open: boolean }>({
    query: `
      select distinct website_id, toString(build) as build_text, is_open
      from (
        select website_id, build, true as is_open from open_visits group by website_id, build
        union all select website_id, build, true from open_rollups group by website_id, build
        union all select website_id, build, false from closed_visits group by website_id, build
        union all select website_id, build, false from ended_visits group by website_id, build
        union all select website_id, build, false from closed_rollups group by website_id, build
      )
      where build < {before:UInt64}
        and (website_id, build, is_open) not in (
          select website_id, arrayJoin([build, base]), is_open from day_builds final
        )`,
    params: { before: buildNumberAt(beforeMs) },
  });
  return rows.map((row) => ({ websiteId: row.website_id, build: row.build_text, isOpen: row.is_open }));
}
