import type { Store } from '../../store/open-store.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { type Asker, createTurns } from './take-turns.ts';

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
      withSignal: (other) => inTurn(inner.withSignal(other), asker, other),
      query: (question) => {
        const take = question.isQuick === true ? takeQuick : takeSlow;
        return take(asker, () => inner.query(question), signal);
      },
    };
  }
  return (asker: Asker): WebsiteStore => inTurn(store.ofWebsite(asker.websiteId), asker, undefined);
}
