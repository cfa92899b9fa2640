import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import type { WantedBuild } from '../../control/nodes/wanted-builds.ts';
import type { Control } from '../../control/open-control.ts';
import type { WebsiteCache } from '../../control/websites/website-cache.ts';
import type { Log } from '../../log.ts';
import type { DayBuilder } from '../../stats/days/day-builder.ts';
import { NotOwner } from '../../store/build-fences.ts';
import type { Clock } from '../../time/clock.ts';

const lookMs = 200;
const oldMs = 10 * 60_000;

/** As the owner, builds the days that other nodes ask for. */
export function serveWantedBuilds(options: {
  isOwner: () => boolean;
  /** Learns up to when the store has everything, which a build notes. */
  learnCompleteMs: () => Promise<number>;
  wantedBuilds: Control['wantedBuilds'];
  days: Pick<DayBuilder, 'buildWanted'>;
  websiteCache: Pick<WebsiteCache, 'get' | 'refresh'>;
  clock: Clock;
  log: Log;
}): { stop(): void } {
  const { isOwner, learnCompleteMs, wantedBuilds, days, websiteCache, clock, log } = options;
  const underWay = new Set<string>();
  let isStopped = false;
  let isFailing = false;
  let timer = setTimeout(look, lookMs).unref();

  async function build({ id, websiteId, from, to, kind }: WantedBuild): Promise<void> {
    try {
      // It may have been added a moment ago.
      if (websiteCache.get(websiteId) === undefined) await websiteCache.refresh();
      const website = websiteCache.get(websiteId);
      const today = createLocalTime(website?.timezone ?? 'UTC')(clock.now()).day;
      await learnCompleteMs();
      if (website !== undefined) await days.buildWanted(websiteId, { from, to }, today, kind);
    } catch (error) {
      // The request is still there for the next owner.
      if (error instanceof NotOwner) return;
      if (!isStopped)
        log.warn({ err: error, website: websiteId }, 'days that another node needs could not be built');
    }
    if (isOwner()) await wantedBuilds.remove(id);
  }

  async function look(): Promise<void> {
    try {
      if (isOwner()) {
        await wantedBuilds.clearOlderThan(oldMs);
        for (const wanted of await wantedBuilds.list()) {
          if (underWay.has(wanted.id)) continue;
          underWay.add(wanted.id);
          build(wanted)
            .catch(() => {})
            .finally(() => underWay.delete(wanted.id));
        }
      }
      isFailing = false;
    } catch (error) {
      if (!isFailing && !isStopped) log.warn({ err: error }, 'cannot read which days other nodes need');
      isFailing = true;
    }
    if (!isStopped) timer = setTimeout(look, lookMs).unref();
  }

  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
