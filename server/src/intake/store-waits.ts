import type { Journal } from '../journal/open-journal.ts';
import { isBefore, type JournalPosition } from '../records/journal-position.ts';
import type { Clock } from '../time/clock.ts';
import type { Refusal } from './refusal.ts';

/** Called once: without a refusal when the store has the record, with one when nobody knows if it will. */
export type OnStored = (refusal?: Refusal) => void;

/** Lets answers wait until the store has everything that the journal had when they began to wait. */
export type StoreWaits = ReturnType<typeof createStoreWaits>;

type Waiting = { to: JournalPosition; sinceMs: number; done: OnStored[] };

const checkMs = 100;
/** Shorter than our clients wait for an answer. A store that is back after a restart still makes it. */
const maxWaitMs = 8_000;
/** Each waiting answer takes some kilobytes. */
const maxWaiting = 20_000;

const notStored: Refusal = {
  refused: 'store-away',
  outcome: 'unknown',
  message:
    'The record is kept, but the store has not confirmed it: try again with the same Idempotency-Key, ' +
    'or it may be counted twice',
};
const notTaken: Refusal = {
  refused: 'store-away',
  message: 'The store does not confirm records at the moment, so none is accepted: try again later',
};

/** Holds back the answers to records that are on disk, in the order of the journal, until the loader says so. */
export function createStoreWaits(parts: {
  journal: Pick<Journal, 'answeredTo'>;
  clock: Pick<Clock, 'monotonicMs'>;
  /** Called when an answer begins to wait and no other does. */
  loadSoon: () => void;
}) {
  const { journal, clock, loadSoon } = parts;
  /** Oldest first, one for all records that reached the disk together. */
  const waiting: Waiting[] = [];
  let count = 0;
  let isAway = false;
  let stopAtMs = Number.POSITIVE_INFINITY;
  let loadedTo: JournalPosition | undefined;

  function answerWhile(isDue: (group: Waiting) => boolean, refusal?: Refusal): void {
    let due = 0;
    while (due < waiting.length && isDue(waiting[due]!)) due += 1;
    for (const { done } of waiting.splice(0, due)) {
      count -= done.length;
      for (const answer of done) answer(refusal);
    }
  }

  const timer = setInterval(() => {
    const nowMs = clock.monotonicMs();
    const isLate = ({ sinceMs }: Waiting) => nowMs - sinceMs >= maxWaitMs || nowMs >= stopAtMs;
    if (waiting.length === 0 || !isLate(waiting[0]!)) return;
    isAway = true;
    answerWhile(isLate, notStored);
  }, checkMs);
  timer.unref();

  return {
    /**
     * Returns why no record can be taken now. While the store is away, a record isn't even written: its sender
     * has to repeat it anyway, and one that sends no key would have it counted twice.
     */
    refusal: (): Refusal | undefined => (isAway || count >= maxWaiting ? notTaken : undefined),
    /** Whether answers were given up, and the store has confirmed nothing since. */
    isAway: (): boolean => isAway,
    isAwaited: (): boolean => count > 0,
    /** Calls `done` when the store has everything that is on disk now. */
    wait(done: OnStored): void {
      const to = journal.answeredTo();
      if (loadedTo !== undefined && !isBefore(loadedTo, to)) {
        done();
        return;
      }
      count += 1;
      const last = waiting.at(-1);
      if (last !== undefined && !isBefore(last.to, to)) last.done.push(done);
      else waiting.push({ to, sinceMs: clock.monotonicMs(), done: [done] });
      if (last === undefined) loadSoon();
    },
    /**
     * The store has everything before this place. `isWhole` is false if some of what was loaded last can't be
     * read from the disk. Then nobody knows whose record is missing.
     */
    noteLoaded(to: JournalPosition, isWhole: boolean): void {
      loadedTo = to;
      isAway = false;
      answerWhile((group) => !isBefore(to, group.to), isWhole ? undefined : notStored);
    },
    /** The store may have lost something: what was loaded before doesn't count until it is loaded or counted. */
    noteUnsure(): void {
      loadedTo = undefined;
    },
    /** From now on, answers wait for at most this long, so that they leave before the connections close. */
    stop({ withinMs }: { withinMs: number }): void {
      stopAtMs = clock.monotonicMs() + withinMs;
    },
    close(): void {
      clearInterval(timer);
      answerWhile(() => true, notStored);
    },
  };
}
