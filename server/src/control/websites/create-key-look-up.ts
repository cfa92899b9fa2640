import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import type { Clock } from '../../time/clock.ts';
import type { Control } from '../open-control.ts';
import { hashApiKey } from './hash-api-key.ts';
import type { WebsiteCache } from './website-cache.ts';

/**
 * Looks in the database for an API key that this node doesn't know, so that a key works from the moment it is
 * created. Made-up keys must not load the database: each is looked for once, and only a limited number per
 * second. The others count as wrong, as they would without this.
 */
export type KeyLookUp = {
  /** Whether to look for it at all. */
  canLookUp(key: string | undefined): boolean;
  /** Afterwards the website cache has the key, if there is one. `away` means that nobody knows. */
  lookUp(key: string): Promise<'known' | 'unknown' | 'away'>;
};

const keyShape = /^[\w-]{43}$/;
const maxRemembered = 10_000;
/** How many keys are looked for at once, and how often another one is allowed. */
const burst = 20;
const refillMs = 50;

export function createKeyLookUp(parts: {
  websites: Pick<Control['websites'], 'hasKey'>;
  websiteCache: Pick<WebsiteCache, 'apiKeys' | 'refresh'>;
  clock: Pick<Clock, 'monotonicMs'>;
}): KeyLookUp {
  const { websites, websiteCache, clock } = parts;
  const unknown = createBoundedCache<true>({ maxEntries: maxRemembered });
  const inProgress = new Map<string, ReturnType<KeyLookUp['lookUp']>>();
  let allowed = burst;
  let refilledAtMs = clock.monotonicMs();
  let isAway = false;

  function hasAllowance(): boolean {
    const nowMs = clock.monotonicMs();
    allowed = Math.min(burst, allowed + (nowMs - refilledAtMs) / refillMs);
    refilledAtMs = nowMs;
    return allowed >= 1;
  }

  async function find(keyHash: string): ReturnType<KeyLookUp['lookUp']> {
    try {
      const isKnown = await websites.hasKey(keyHash);
      if (isKnown) await websiteCache.refresh();
      else unknown.set(keyHash, true);
      isAway = false;
      return isKnown ? 'known' : 'unknown';
    } catch {
      isAway = true;
      return 'away';
    } finally {
      inProgress.delete(keyHash);
    }
  }

  return {
    canLookUp(key) {
      if (key === undefined || !keyShape.test(key)) return false;
      const keyHash = hashApiKey(key);
      if (websiteCache.apiKeys.has(keyHash) || unknown.get(keyHash) === true) return false;
      // As long as the database is away, no key can be called wrong.
      return hasAllowance() || isAway || inProgress.has(keyHash);
    },

    async lookUp(key) {
      const keyHash = hashApiKey(key);
      let finding = inProgress.get(keyHash);
      if (finding === undefined) {
        if (!hasAllowance()) return isAway ? 'away' : 'unknown';
        allowed -= 1;
        finding = find(keyHash);
        inProgress.set(keyHash, finding);
      }
      return await finding;
    },
  };
}
