import type { StorePart } from '../store/parts.ts';
import type { LoaderOptions } from './loader-options.ts';
import { type MendedPart, partDamageId } from './mend-part.ts';

/** The damaged parts of the store, from when they are found until the damage is settled. */
export function createPartMending(damage: Pick<LoaderOptions['damage'], 'settle'>) {
  /** Parts that are waiting to be mended. The first one may be in progress. */
  const damaged: StorePart[] = [];
  /** Mended parts whose records haven't been compared yet. */
  const mended: StorePart[] = [];
  /** Mended parts of which it isn't known yet whether the journal has all records. */
  const gone: MendedPart[] = [];
  /** Parts that may have been taken out of the store before mending them failed. */
  const unsure: MendedPart[] = [];

  return {
    add(part: StorePart): void {
      const isKnown = damaged.some(({ table, name }) => table === part.table && name === part.name);
      if (!isKnown) damaged.push(part);
    },
    isWaiting: (): boolean => damaged.length > 0,
    /**
     * Mends what is waiting. Each part is tried once: if it can't be mended, that must not prevent records from
     * being loaded. `mend` returns how many records are gone with a part, and says it before it takes it out.
     */
    async mendAll(
      mend: (part: StorePart, noteGone: (records: number) => void) => Promise<number>,
    ): Promise<void> {
      for (let part = damaged[0]; part !== undefined; part = damaged[0]) {
        let begun: MendedPart | undefined;
        const noteGone = (records: number) => {
          begun = { ...part!, gone: records };
        };
        try {
          gone.push({ ...part, gone: await mend(part, noteGone) });
        } catch (error) {
          if (begun !== undefined) unsure.push(begun);
          throw error;
        } finally {
          // The part stays in the queue until now, so that a checker that finds it again in the meantime
          // doesn't add it a second time.
          damaged.shift();
        }
        mended.push(part);
      }
    },
    /** Finds out which parts were taken out of the store before mending them failed. */
    async settleUnsure(listParts: () => Promise<StorePart[]>): Promise<void> {
      if (unsure.length === 0) return;
      const there = new Set((await listParts()).map(partDamageId));
      for (let part = unsure.shift(); part !== undefined; part = unsure.shift()) {
        const isThere = there.has(partDamageId(part));
        gone.push(isThere ? { ...part, gone: 0 } : part);
        if (!isThere) mended.push(part);
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
