import { createBoundedCache } from '../../concurrency/bounded-cache.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { Clock } from '../../time/clock.ts';
import type { AskedBy } from '../plan/ask-in-turn.ts';

/** Whether a website has sent an event, and since when that is known. */
type Looked = { isKnown: Promise<boolean>; sinceMs: number };

const maxKept = 1000;
/** The first event of a name may come at any time. */
const unknownForMs = 10_000;

const query = `
  select count() as found
  from (
    select 1 from records where website_id = {website_id:UInt32} and event_name = {name:String} limit 1
  )`;

/**
 * Creates a function that returns whether a website has a record of an event. Simultaneous requests share one
 * lookup. A positive result is remembered for good, a negative one for some seconds.
 */
export function createKnownEvents(clock: Pick<Clock, 'monotonicMs'>) {
  const kept = createBoundedCache<Looked>({ maxEntries: maxKept });

  function look(key: string, store: WebsiteStore, name: string): Promise<boolean> {
    const rows = store.query<{ found: number }>({ query, params: { name } });
    const isKnown = rows.then(([row]) => row!.found > 0);
    const looked = { isKnown, sinceMs: clock.monotonicMs() };
    kept.set(key, looked);
    isKnown.catch(() => kept.get(key) === looked && kept.delete(key));
    return isKnown;
  }

  return async (store: WebsiteStore, by: AskedBy, name: string): Promise<boolean> => {
    const key = JSON.stringify([store.websiteId, by, name]);
    const looked = kept.get(key);
    if (looked === undefined) return await look(key, store, name);
    const isRecent = clock.monotonicMs() - looked.sinceMs < unknownForMs;
    return (await looked.isKnown) || (isRecent ? false : await look(key, store, name));
  };
}
