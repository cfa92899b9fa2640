import { type Limit, limitConcurrency, type Owner } from '../../concurrency/limit-concurrency.ts';
import type { Store } from '../../store/open-store.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { StoreAway } from '../faults.ts';

/**
 * Who asks about a website: a user who may see it, anyone with its public link, or the live view on behalf of
 * everyone who looks at it.
 */
export type AskedBy = 'user' | 'link' | 'live';
export type Asker = { websiteId: number; by: AskedBy };
/**
 * Those whose first longer statement had its turn are not refused because others wait. A quick one doesn't
 * count: each question begins with one that looks at the days, so the line would have no end.
 */
type Asked = Asker & { hasBegun: boolean };

/** How many questions may run, or wait, at the same time. */
export type TurnLimits = {
  all: number;
  /** How many of all may come through public links. The rest is kept for others. */
  byLinks: number;
  /** From the users of one website. */
  ofOne: number;
  /** Through the public link of one website. */
  ofLink: number;
};

/** An answer that has to wait behind more than these would come too late to be useful. */
const waiting = { all: 1024, byLinks: 256, ofOne: 64, ofLink: 64 };
/** The engine has four sessions for longer statements. Builds, exports and erasures need one of them. */
const slow = { running: { all: 3, byLinks: 2, ofOne: 2, ofLink: 1 }, waiting };
/** The engine has three more sessions for statements that take milliseconds. */
const quick = { running: { all: 3, byLinks: 2, ofOne: 2, ofLink: 1 }, waiting };

/**
 * The store of a website in which every question waits for a turn, so that none can be asked around the line.
 */
export type StoreInTurn = Omit<WebsiteStore, 'withSignal'> & {
  withSignal(signal: AbortSignal | undefined): StoreInTurn;
  /** Refuses statements if what they read may be gone when their turn has come. */
  unless(mayBeGone: () => boolean): StoreInTurn;
  /**
   * Waits for the turn of one longer statement, which is written only then: `ask` is called when the turn has
   * come, with a store that answers at once.
   */
  inTurn<T>(ask: (store: WebsiteStore) => Promise<T>): Promise<T>;
};

/** Opens the store for those who ask for statistics. All of them share the same turns. */
export function createAskInTurn(store: Pick<Store, 'ofWebsite'>) {
  const [takeSlow, takeQuick] = [createTurns(slow), createTurns(quick)];

  function storeInTurn(
    inner: WebsiteStore,
    asked: Asked,
    signal?: AbortSignal,
    mayBeGone = () => false,
  ): StoreInTurn {
    const takeTurn = <T>(take: typeof takeSlow, work: () => Promise<T>): Promise<T> => {
      const begin = () => {
        if (mayBeGone()) throw tooManyInProgress();
        asked.hasBegun ||= take === takeSlow;
        return work();
      };
      return take(asked, begin, signal, { isContinued: asked.hasBegun });
    };
    return {
      ...inner,
      withSignal: (other) => storeInTurn(inner.withSignal(other), asked, other, mayBeGone),
      unless: (other) => storeInTurn(inner, asked, signal, other),
      query: (question) => {
        const take = question.isQuick === true ? takeQuick : takeSlow;
        return takeTurn(take, () => inner.query(question));
      },
      inTurn: (ask) => takeTurn(takeSlow, () => ask(inner)),
    };
  }
  return (asker: Asker): StoreInTurn =>
    storeInTurn(store.ofWebsite(asker.websiteId), { ...asker, hasBegun: false });
}

const tooManyInProgress = () =>
  new StoreAway('this website has too many questions in progress', { fault: 'busy' });

/**
 * Shares a few places among everyone who asks. A website, or its public link, waits for at most one turn of
 * each other asker.
 */
export function createTurns({ running, waiting }: { running: TurnLimits; waiting: TurnLimits }) {
  const limitOf = (part: keyof TurnLimits): Limit => ({ places: running[part], maxWaiting: waiting[part] });
  const run = limitConcurrency({
    ...limitOf('all'),
    groups: { links: limitOf('byLinks') },
    whenFull: tooManyInProgress,
  });
  const ownerOf = ({ websiteId, by }: Asker): Owner => {
    const key = `${websiteId} ${by}`;
    return by === 'link'
      ? { key, limit: limitOf('ofLink'), group: 'links' }
      : { key, limit: limitOf('ofOne') };
  };
  return <T>(
    asker: Asker,
    work: () => Promise<T>,
    signal?: AbortSignal,
    { isContinued = false } = {},
  ): Promise<T> => run(work, { owner: ownerOf(asker), signal, isContinued });
}
