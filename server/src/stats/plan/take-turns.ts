import { type Limit, limitConcurrency, type Owner } from '../../concurrency/limit-concurrency.ts';
import { StoreAway } from '../faults.ts';

/**
 * Who asks about a website: who may see it, whoever has its public link, or the live view for all who look at
 * it.
 */
export type AskedBy = 'user' | 'link' | 'live';
export type Asker = { websiteId: number; by: AskedBy };

export type TurnLimits = {
  all: number;
  /** Of these, by public links: the rest is kept for others. */
  byLinks: number;
  /** Of those who may see one website. */
  ofOne: number;
  /** By the public link of one website. */
  ofLink: number;
};

/**
 * Shares a few places out among all who ask: a website, or its public link, waits for one turn of each other
 * asker at most.
 */
export function createTurns({ running, waiting }: { running: TurnLimits; waiting: TurnLimits }) {
  const limitOf = (part: keyof TurnLimits): Limit => ({ places: running[part], maxWaiting: waiting[part] });
  const run = limitConcurrency({
    ...limitOf('all'),
    groups: { links: limitOf('byLinks') },
    whenFull: () => new StoreAway('the website has too many questions under way', { fault: 'busy' }),
  });
  const ownerOf = ({ websiteId, by }: Asker): Owner => {
    const key = `${websiteId} ${by}`;
    return by === 'link'
      ? { key, limit: limitOf('ofLink'), group: 'links' }
      : { key, limit: limitOf('ofOne') };
  };
  return <T>(asker: Asker, work: () => Promise<T>, signal?: AbortSignal): Promise<T> =>
    run(work, { owner: ownerOf(asker), signal });
}
