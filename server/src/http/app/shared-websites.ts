import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import type { Control } from '../../control/open-control.ts';
import type { Website } from '../../control/websites/website-row.ts';
import type { Clock } from '../../time/clock.ts';

/** The websites that have a public link. */
export type SharedWebsites = {
  /** Returns the website of a link, or undefined if the link does not work for any reason. */
  find(token: string): Promise<Website | undefined>;
};

const tokenShape = /^[\w-]{32}$/;
/** How long a link still works after it is switched off. */
const keptMs = 2000;
const maxKept = 1000;

/** Remembers only links that work, so that guesses cannot push them out, and a new link works at once. */
export function createSharedWebsites(parts: {
  websites: Pick<Control['websites'], 'findByShareToken'>;
  clock: Clock;
}): SharedWebsites {
  const { websites, clock } = parts;
  const kept = createBoundedCache<{ website: Website; untilMs: number }>({ maxEntries: maxKept });
  /**
   * The lookups that are in progress. Many people open the same link at the same moment, and one lookup is
   * enough for all of them.
   */
  const underWay = new Map<string, Promise<Website | undefined>>();

  async function lookUp(token: string): Promise<Website | undefined> {
    // The time starts before the lookup, so that a link that is turned off in the meantime is not remembered
    // for longer.
    const untilMs = clock.monotonicMs() + keptMs;
    const website = await websites.findByShareToken(token);
    if (website === undefined) kept.delete(token);
    else kept.set(token, { website, untilMs });
    return website;
  }

  return {
    async find(token) {
      // The table only has tokens of this shape, so any other token needs no lookup.
      if (!tokenShape.test(token)) return undefined;
      const known = kept.get(token);
      if (known !== undefined && clock.monotonicMs() < known.untilMs) return known.website;
      const shared = underWay.get(token);
      if (shared !== undefined) return shared;
      const looking = lookUp(token).finally(() => underWay.delete(token));
      underWay.set(token, looking);
      return looking;
    },
  };
}
