import { setTimeout as delay } from 'node:timers/promises';
import { createLocalTime } from '@trackside/contract/calendar/local-time.ts';
import { limitConcurrency } from '../concurrency/limit-concurrency.ts';
import type { Erasure, WrittenErasure } from '../control/privacy/erasures.ts';
import type { ErasedVisit } from '../records/erased-visit.ts';
import { maxLateMs } from '../records/late-limits.ts';
import { NodeAway, StoreAway } from '../stats/faults.ts';
import { drainLoader, type RemovalParts, untilLoaded } from './removal-parts.ts';
import { retryWhileStoreAway } from './retry-while-store-away.ts';

/** Someone may be waiting for the answer. What isn't done by then is done later. */
const patienceMs = 30_000;
const lookMs = 250;
/** A place that failed rests for a minute by itself. This only limits how often control is asked for places. */
const noteAgainMs = 5_000;

/**
 * Removes erased records: for an erasure that was just requested, for those that commands write into control,
 * and for those that a process left unfinished when it ended.
 */
export function runErasures(parts: RemovalParts) {
  const { control, websiteCache, store, days, clock, log, signal } = parts;
  const patiently = retryWhileStoreAway({ clock, patienceMs, signal });
  /** The erasures that are running or done. One that fails is removed. */
  const runs = new Map<string, Promise<{ records: number }>>();
  const done = new Set<string>();
  /** Those that a place with backups doesn't have yet. After a start, all erasures are noted again. */
  const unnoted = new Map<string, WrittenErasure>();
  let notedAgainAtMs = Number.NEGATIVE_INFINITY;
  const inLine = limitConcurrency({ places: 1, maxWaiting: Number.POSITIVE_INFINITY });
  let isFailing = false;

  async function remove(erasure: Erasure): Promise<{ records: number }> {
    const { websiteId, visitorId } = erasure;
    const visits = await applyErasure(erasure);
    const written = { ...erasure, appliedBefore: erasure.receivedBefore, visits };
    if (!(await parts.noteErasure(written))) unnoted.set(keyOf(erasure), written);
    await drainLoader(parts);
    const website = store.ofWebsite(websiteId);
    const removal = { ...erasure, visits };
    const records = await patiently(() => website.countRecords(removal));
    await patiently(() => website.removeRecords(removal));
    const today = createLocalTime(websiteCache.get(websiteId)?.timezone ?? 'UTC')(clock.now()).day;
    const visitorIds = [...new Set([visitorId, ...visits.map(({ deviceId }) => deviceId)])];
    await patiently(() => days.forgetVisitors(websiteId, visitorIds, today));
    const domain = websiteCache.list().find(({ id }) => id === websiteId)?.domain ?? `website ${websiteId}`;
    const entry = { actor: 'server', action: 'person.erased', websiteId, subject: domain } as const;
    await control.transact(async ({ erasures }) => {
      const isNew = await erasures.finish(erasure, { records });
      return { result: undefined, entries: isNew ? [{ ...entry, detail: { records } }] : [] };
    });
    return { records };
  }

  /**
   * Writes down the visits in which the person signed in, and returns them. The records with the ClientId
   * tell which visits these are, so all of them must be in the store first. Once they are gone, nobody can
   * tell.
   */
  async function applyErasure(erasure: Erasure): Promise<readonly ErasedVisit[]> {
    const find = async () => (await control.erasures.list()).find((each) => isSamePerson(each, erasure));
    const written = await find();
    if ((written?.appliedBefore ?? 0) < erasure.receivedBefore) {
      await untilLoaded(parts, patiently, erasure.receivedBefore);
      const visits = await patiently(() => store.ofWebsite(erasure.websiteId).findErasedVisits(erasure));
      await control.erasures.apply(erasure, visits);
    }
    return (await find())?.visits ?? [];
  }

  async function noteAgain(): Promise<void> {
    if (clock.monotonicMs() - notedAgainAtMs < noteAgainMs) return;
    notedAgainAtMs = clock.monotonicMs();
    for (const [key, written] of unnoted) if (await parts.noteErasure(written)) unnoted.delete(key);
  }

  /** Runs erasures one after the other. Whoever asks for the same erasure gets the same answer. */
  function run(erasure: Erasure): Promise<{ records: number }> {
    const key = keyOf(erasure);
    const known = runs.get(key);
    if (known !== undefined) return known;
    const running = inLine(() => remove(erasure));
    runs.set(key, running);
    running.then(
      ({ records }) => {
        done.add(key);
        isFailing = false;
        // After each start, all of them are checked again, and nothing is found.
        if (records > 0) log.info({ website: erasure.websiteId, records }, 'erased the records of a person');
      },
      (error: unknown) => {
        runs.delete(key);
        if (!isFailing && !signal.aborted)
          log.error({ err: error, website: erasure.websiteId }, 'an erasure is not finished: trying again');
        isFailing = true;
      },
    );
    return running;
  }

  return {
    /**
     * Carries out an erasure that is written down, so that it will be done whatever happens from here on.
     * Returns when the records are gone, with the number that the store had. Throws StoreAway if that has to
     * wait.
     */
    async erase(erasure: Erasure): Promise<{ records: number }> {
      // It was requested twice within a millisecond. What was found the first time isn't found again.
      if (done.delete(keyOf(erasure))) runs.delete(keyOf(erasure));
      try {
        return await run(erasure);
      } catch (error) {
        if (!(error instanceof StoreAway)) throw error;
        if (error instanceof NodeAway) throw error;
        const cause = { cause: error };
        throw new StoreAway('the store does not respond; the records are erased as soon as it does', cause);
      }
    },
    /**
     * Carries out the erasures that are written in control and not done yet, and notes those that could not be
     * noted where backups are kept.
     */
    async catchUp(): Promise<void> {
      for (const erasure of websiteCache.erasures()) {
        if (signal.aborted) return;
        if (websiteCache.get(erasure.websiteId) !== undefined) await run(erasure).catch(() => {});
      }
      await noteAgain();
    },
    /**
     * Forgets erasures that are done and whose records can't be in the journal, which has none from before
     * this moment, and can't come anymore. Those that could not be noted where backups are kept are remembered
     * until they are.
     */
    async clear(journalHoldsFromMs: number): Promise<void> {
      const happenedFromMs = journalHoldsFromMs - maxLateMs;
      const old = websiteCache.erasures().filter(({ receivedBefore }) => receivedBefore < happenedFromMs);
      if (old.length === 0) return;
      // Nobody carries out those of a website that is gone. They only keep records of it from being loaded. One
      // that was lost can be added again, with its records.
      const lostIds = new Set(await control.websites.lostIds());
      const isGone = (id: number) => websiteCache.get(id) === undefined && !lostIds.has(id);
      if (!old.every((erasure) => done.has(keyOf(erasure)) || isGone(erasure.websiteId))) return;
      for (const written of await control.erasures.list())
        if (written.receivedBefore < happenedFromMs && !(await parts.noteErasure(written))) return;
      await control.erasures.clearBefore(happenedFromMs);
      for (const key of old.map(keyOf)) {
        runs.delete(key);
        done.delete(key);
      }
      await websiteCache.refresh();
    },
  };
}

/** Waits for the node that runs erasures. */
export async function untilErased(
  { control, clock, signal }: Pick<RemovalParts, 'control' | 'clock' | 'signal'>,
  erasure: Erasure,
): Promise<{ records: number }> {
  const beganMs = clock.monotonicMs();
  while (!signal.aborted && clock.monotonicMs() - beganMs < patienceMs) {
    const result = await control.erasures.result(erasure);
    if (result !== undefined) return result;
    await delay(lookMs, undefined, { signal }).catch(() => {});
  }
  throw new NodeAway('another node is erasing the records, and has not finished yet');
}

const isSamePerson = (one: Erasure, other: Erasure) =>
  one.websiteId === other.websiteId && one.visitorId === other.visitorId;

const keyOf = ({ websiteId, visitorId, receivedBefore }: Erasure) =>
  `${websiteId} ${visitorId} ${receivedBefore}`;
