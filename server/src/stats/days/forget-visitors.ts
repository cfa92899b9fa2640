import { setTimeout as delay } from 'node:timers/promises';
import type { WebsiteStore } from '../../store/website-store.ts';

/**
 * Questions in progress still read the builds that are being removed. One that takes longer than this counts
 * too few records, once.
 */
const graceMs = 2_000;
const daysAtOnce = 30;

/**
 * Rebuilds the days of visitors whose records are gone, and returns when only current builds hold visits of
 * these visitors. These visits have come since, or have other records.
 */
export async function forgetVisitors(options: {
  store: WebsiteStore;
  visitorIds: readonly string[];
  /** Builds those of the days that have changed. */
  rebuild: (days: readonly string[]) => Promise<void>;
  /** Runs work while nothing is being built. */
  inTurn: <T>(work: () => Promise<T>) => Promise<T>;
}): Promise<void> {
  const { store, visitorIds, rebuild, inTurn } = options;
  // In turn, so that a build that has read the records before they went is seen when it is complete.
  const days = await inTurn(() => findDays(store, visitorIds));
  for (let done = 0; done < days.length; done += daysAtOnce)
    await rebuild(days.slice(done, done + daysAtOnce));
  if ((await findReplacedBuilds(store, visitorIds)).length === 0) return;
  await delay(graceMs);
  await inTurn(async () => {
    const builds = await findReplacedBuilds(store, visitorIds);
    if (builds.length > 0) await store.removeDays({ builds });
  });
}

/** Finds the days on which any build, current or not, has visits of these visitors. */
async function findDays(store: WebsiteStore, visitorIds: readonly string[]): Promise<string[]> {
  const rows = await store.query<{ visit_day: string }>({
    query: `
      select distinct toString(day) as visit_day
      from visits
      where website_id = {website_id:UInt32} and visitor_id in {visitors:Array(UInt64)}
      order by visit_day`,
    params: { visitors: visitorIds.map(BigInt) },
  });
  return rows.map(({ visit_day }) => visit_day);
}

/** Finds builds by what they hold, not by their day: one that began before the records went is among them. */
async function findReplacedBuilds(store: WebsiteStore, visitorIds: readonly string[]): Promise<string[]> {
  const rows = await store.query<{ build_text: string }>({
    query: `
      select distinct toString(build) as build_text
      from visits
      where website_id = {website_id:UInt32} and visitor_id in {visitors:Array(UInt64)}
        and build not in (
          select arrayJoin([build, base]) from day_builds final where website_id = {website_id:UInt32}
        )`,
    params: { visitors: visitorIds.map(BigInt) },
  });
  return rows.map(({ build_text }) => build_text);
}
