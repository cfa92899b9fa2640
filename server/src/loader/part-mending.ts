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

  return {
    add(part: StorePart): void {
      const isKnown = damaged.some(({ table, name }) => table === part.table && name === part.name);
      if (!isKnown) damaged.push(part);
    },
    isWaiting: (): boolean => damaged.length > 0,
    /**
     * Mends what is waiting. Each part is tried once: if it can't be mended, that must not prevent records from
     * being loaded. `mend` returns how many records are gone with a part.
     */
    async mendAll(mend: (part: StorePart) => Promise<number>): Promise<void> {
      for (let part = damaged[0]; part !== undefined; part = damaged[0]) {
        try {
          gone.push({ ...part, gone: await mend(part) });
        } finally {
          // The part stays in the queue until now, so that a checker that finds it again in the meantime
          // doesn't add it a second time.
          damaged.shift();
        }
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
