import type { Store } from '../../store/open-store.ts';
import type { Clock } from '../../time/clock.ts';
import { clearBuilds } from './clear-builds.ts';

/** Questions under way still read builds that were replaced. */
const graceMs = 60_000;

type Replaced = { websiteId: number; build: string; isOpen: boolean; sinceMs: number };

export type ReplacedBuilds = ReturnType<typeof createReplacedBuilds>;

/** Remembers builds that were replaced, until nobody reads them any more and they can be removed. */
export function createReplacedBuilds({ store, clock }: { store: Pick<Store, 'ofWebsite'>; clock: Clock }) {
  const replaced: Replaced[] = [];

  return {
    add(websiteId: number, { build, isOpen }: { build: string; isOpen: boolean }): void {
      replaced.push({ websiteId, build, isOpen, sinceMs: clock.monotonicMs() });
    },
    async clearDue(): Promise<void> {
      const due = replaced.filter(({ sinceMs }) => clock.monotonicMs() - sinceMs > graceMs);
      for (const item of due) replaced.splice(replaced.indexOf(item), 1);
      // With one statement, because it costs the store as much to remove one build as many.
      for (const [id, builds] of Map.groupBy(due, ({ websiteId }) => websiteId))
        await clearBuilds(store.ofWebsite(id), builds);
    },
  };
}
