import type { Store } from '../../store/open-store.ts';
import type { Clock } from '../../time/clock.ts';
import { clearBuilds } from './clear-builds.ts';

/** Builds that are no longer the current ones are still read by questions under way. */
const graceMs = 60_000;

type Replaced = { websiteId: number; build: string; isOpen: boolean; sinceMs: number };

export type ReplacedBuilds = ReturnType<typeof createReplacedBuilds>;

/**
 * Remembers the builds that others have replaced, until nobody reads them any more and they can be removed.
 */
export function createReplacedBuilds({ store, clock }: { store: Pick<Store, 'ofWebsite'>; clock: Clock }) {
  const replaced: Replaced[] = [];

  return {
    add(websiteId: number, { build, isOpen }: { build: string; isOpen: boolean }): void {
      replaced.push({ websiteId, build, isOpen, sinceMs: clock.monotonicMs() });
    },
    async clearDue(): Promise<void> {
      const due = replaced.filter(({ sinceMs }) => clock.monotonicMs() - sinceMs > graceMs);
      for (const item of due) replaced.splice(replaced.indexOf(item), 1);
      // Together: a statement for one of them costs the store as much as one for all.
      for (const [id, builds] of Map.groupBy(due, ({ websiteId }) => websiteId))
        await clearBuilds(store.ofWebsite(id), builds);
    },
  };
}
