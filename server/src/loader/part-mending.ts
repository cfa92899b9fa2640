import type { StorePart } from '../store/parts.ts';
import type { Clock } from '../time/clock.ts';
import type { LoaderOptions } from './loader-options.ts';
import { type MendedPart, partDamageId } from './mend-part.ts';

/** What fails may be the engine, which is soon back, or the part, for which an operator is needed. */
const retryMs = { first: 60_000, most: 3_600_000 };
/** After half an hour of failures, the disk matters more than what the journal may still have of the part. */
const mostAwaitedTries = 5;

type Damaged = { part: StorePart; tries: number; dueMs: number };

type Options = { damage: Pick<LoaderOptions['damage'], 'settle'>; clock: Pick<Clock, 'monotonicMs'> };

/** The damaged parts of the store, from when they are found until the damage is settled. */
export function createPartMending({ damage, clock }: Options) {
  /** Parts that are waiting to be mended. One of them may be in progress. */
  let damaged: Damaged[] = [];
  /** Mended parts whose records haven't been compared yet. */
  const mended: StorePart[] = [];
  /** Mended parts of which it isn't known yet whether the journal has all records. */
  const gone: MendedPart[] = [];
  /** Parts that may have been taken out of the store before mending them failed. */
  const unsure: MendedPart[] = [];

  function findDue(): Damaged | undefined {
    const nowMs = clock.monotonicMs();
    return damaged.find(({ dueMs }) => dueMs <= nowMs);
  }

  return {
    add(part: StorePart): void {
      const isKnown = damaged.some(
        (known) => known.part.table === part.table && known.part.name === part.name,
      );
      if (!isKnown) damaged.push({ part, tries: 0, dueMs: clock.monotonicMs() });
    },
    /** Whether a part is there that will probably be mended soon. */
    isWaiting: (): boolean => damaged.some(({ tries }) => tries < mostAwaitedTries),
    isDue: (): boolean => findDue() !== undefined,
    /**
     * Mends what is due. A part that can't be mended is due again later: it must not prevent records from being
     * loaded. `mend` returns how many records are gone with a part, and says it before it takes it out.
     */
    async mendAll(
      mend: (part: StorePart, noteGone: (records: number) => void) => Promise<number>,
    ): Promise<void> {
      for (let next = findDue(); next !== undefined; next = findDue()) {
        const { part } = next;
        let begun: MendedPart | undefined;
        const noteGone = (records: number) => {
          begun = { ...part, gone: records };
        };
        try {
          gone.push({ ...part, gone: await mend(part, noteGone) });
        } catch (error) {
          next.dueMs = clock.monotonicMs() + Math.min(retryMs.first * 2 ** next.tries, retryMs.most);
          next.tries += 1;
          if (begun !== undefined) unsure.push(begun);
          throw error;
        }
        // The part stays in the queue until now, so that a checker that finds it again in the meantime doesn't add
        // it a second time.
        damaged = damaged.filter((waiting) => waiting !== next);
        mended.push(part);
      }
    },
    /** Finds out which parts were taken out of the store before mending them failed. */
    async settleUnsure(listParts: () => Promise<StorePart[]>): Promise<void> {
      if (unsure.length === 0) return;
      const there = new Set((await listParts()).map(partDamageId));
      for (let part = unsure.shift(); part !== undefined; part = unsure.shift()) {
        const id = partDamageId(part);
        const isThere = there.has(id);
        gone.push(isThere ? { ...part, gone: 0 } : part);
        if (isThere) continue;
        damaged = damaged.filter((waiting) => partDamageId(waiting.part) !== id);
        mended.push(part);
      }
    },
    gone: (): readonly MendedPart[] => gone,
    /** It is known now what of them is lost. */
    noteReported(): void {
      gone.length = 0;
    },
    /** The records of all mended parts were compared. */
    async settle(): Promise<void> {
      for (let part = mended.shift(); part !== undefined; part = mended.shift()) {
        const mendedId = partDamageId(part);
        await damage.settle(({ id }) => id === mendedId);
      }
    },
  };
}
