import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import { type Limit, limitConcurrency } from '../../concurrency/limit-concurrency.ts';
import { tooManyAtOnce } from '../database/control-error.ts';

/**
 * Finds what belongs to a token, by the token's hash. Tokens that have been found before are looked up at
 * once. All others may be made up, so only a few of them wait for the database at a time. Beyond that, they
 * are refused as busy.
 */
export type LookUp = <T>(tokenHash: string, find: () => Promise<T | undefined>) => Promise<T | undefined>;

const maxKnown = 10_000;

export function createLookUp(limit: Limit): LookUp {
  const known = createBoundedCache<true>({ maxEntries: maxKnown });
  const strangers = limitConcurrency({ ...limit, whenFull: tooManyAtOnce });
  return async (tokenHash, find) => {
    const isKnown = known.get(tokenHash) === true;
    const found = await (isKnown ? find() : strangers(find));
    if (found !== undefined) known.set(tokenHash, true);
    else if (isKnown) known.delete(tokenHash);
    return found;
  };
}
