import type { Log } from '../../log.ts';
import type { Store } from '../../store/open-store.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { Clock } from '../../time/clock.ts';
import type { AsOf } from './as-of.ts';
import { clearBuilds } from './clear-builds.ts';
import { type Built, toDayBuild } from './read-days.ts';
import { numbersOf } from './ready-days.ts';

/** Questions in progress still read builds that were replaced. */
const graceMs = 60_000;
/** A question that begins to read builds within this time after it has looked them up finds all of them. */
export const readableMs = graceMs - 10_000;

type Replaced = { websiteId: number; build: string; isOpen: boolean; sinceMs: number };

type Parts = { store: Pick<Store, 'ofWebsite'>; asOf: Pick<AsOf, 'forget'>; clock: Clock; log: Log };

export type ReplacedBuilds = ReturnType<typeof createReplacedBuilds>;

/** Remembers builds that were replaced, until nobody reads them anymore and they can be removed. */
export function createReplacedBuilds({ store, asOf, clock, log }: Parts) {
  const replaced: Replaced[] = [];

  async function clear(websiteId: number, builds: readonly Replaced[]): Promise<void> {
    const website = store.ofWebsite(websiteId);
    const current = await findCurrent(website, builds);
    await clearBuilds(
      website,
      builds.filter(({ build }) => !current.has(build)),
    );
  }

  return {
    /** Notes that a build was replaced, if there was one. The base of a change may count on. */
    add(websiteId: number, built: Built | undefined, keeping: { base?: string } = {}): void {
      if (built === undefined) return;
      asOf.forget(built.build);
      for (const build of numbersOf(toDayBuild(built)))
        if (build !== keeping.base)
          replaced.push({ websiteId, build, isOpen: built.isOpen, sinceMs: clock.monotonicMs() });
    },
    /** Removes builds that nobody reads anymore. What can't be removed now is left to the sweep. */
    async clearDue(): Promise<void> {
      const due = replaced.filter(({ sinceMs }) => clock.monotonicMs() - sinceMs > graceMs);
      for (const item of due) replaced.splice(replaced.indexOf(item), 1);
      // With one statement, because it costs the store as much to remove one build as many.
      for (const [websiteId, builds] of Map.groupBy(due, ({ websiteId: id }) => id))
        await clear(websiteId, builds).catch((error: unknown) =>
          log.warn({ err: error, website: websiteId }, 'unused builds could not be removed'),
        );
    },
  };
}

/** Finds those of some builds that count. A command may have put a change on a base that was replaced. */
async function findCurrent(store: WebsiteStore, builds: readonly Replaced[]): Promise<Set<string>> {
  const rows = await store.query<{ number: string }>({
    query: `
      select toString(arrayJoin([build, base])) as number
      from day_builds final
      where website_id = {website_id:UInt32}
        and (build in {builds:Array(UInt64)} or base in {builds:Array(UInt64)})`,
    params: { builds: builds.map(({ build }) => BigInt(build)) },
    isQuick: true,
  });
  return new Set(rows.map(({ number }) => number));
}
