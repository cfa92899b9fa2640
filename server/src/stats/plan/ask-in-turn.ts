import { type Limit, limitConcurrency, type Owner } from '../../concurrency/limit-concurrency.ts';
import type { Store } from '../../store/open-store.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
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

/** Behind more than these, an answer would come too late to be of use. */
const waiting = { all: 1024, byLinks: 256, ofOne: 64, ofLink: 64 };
/** The engine has four sessions for these; builds, exports and erasures need one of them. */
const slow = { running: { all: 3, byLinks: 2, ofOne: 2, ofLink: 1 }, waiting };
/** It has three for statements that take milliseconds. */
const quick = { running: { all: 3, byLinks: 2, ofOne: 2, ofLink: 1 }, waiting };

export type AskInTurn = ReturnType<typeof createAskInTurn>;

/**
 * The store as statistics see it: each statement waits for a turn, so that none can be asked around the line.
 */
export function createAskInTurn(store: Pick<Store, 'ofWebsite'>) {
  const [takeSlow, takeQuick] = [createTurns(slow), createTurns(quick)];

  function inTurn(inner: WebsiteStore, asker: Asker, signal: AbortSignal | undefined): WebsiteStore {
    return {
      ...inner,
      until: (other) => inTurn(inner.until(other), asker, other),
      query: (question) => {
        const take = question.isQuick === true ? takeQuick : takeSlow;
        return take(asker, () => inner.query(question), signal);
      },
    };
  }
  return (asker: Asker): WebsiteStore => inTurn(store.ofWebsite(asker.websiteId), asker, undefined);
}

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
