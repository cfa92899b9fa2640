import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import type { Control } from '../../control/open-control.ts';
import type { Website } from '../../control/websites/website-row.ts';
import type { Clock } from '../../time/clock.ts';

/** Whose numbers the secret of a public link opens. */
export type ShareLinks = {
  /** Undefined for a link that does not work, whatever the reason. */
  find(token: string): Promise<Website | undefined>;
};

const tokenShape = /^[\w-]{32}$/;
/** A link that was switched off works on for so long. */
const keptMs = 2000;
const maxKept = 1000;

/**
 * Only links that work are remembered: guesses cannot push them out, and a link that was just made works at
 * once.
 */
export function createShareLinks(parts: {
  websites: Pick<Control['websites'], 'findByShareToken'>;
  clock: Clock;
}): ShareLinks {
  const { websites, clock } = parts;
  const kept = createBoundedCache<{ website: Website; untilMs: number }>({ maxEntries: maxKept });

  return {
    async find(token) {
      // Nothing of another shape is in the table, so it need not be asked.
      if (!tokenShape.test(token)) return undefined;
      const known = kept.get(token);
      if (known !== undefined && clock.monotonicMs() < known.untilMs) return known.website;
      // Counted from before the look: what is switched off meanwhile is not remembered for longer.
      const untilMs = clock.monotonicMs() + keptMs;
      const website = await websites.findByShareToken(token);
      if (website === undefined) kept.delete(token);
      else kept.set(token, { website, untilMs });
      return website;
    },
  };
}
