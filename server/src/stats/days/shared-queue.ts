import type { WantedKind } from '../../control/nodes/wanted-builds.ts';
import { OperatorError } from '../../operator-error.ts';
import { NotOwner } from '../../store/build-fences.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import { type BuildQueue, daysAtOnce } from './build-queue.ts';
import { type DayState, readDays, type Span } from './read-days.ts';
import { DaysNotReady } from './ready-days.ts';

/** Who builds the days of a store that several nodes use. */
export type BuildOwner = {
  /** Whether it is this process. */
  isHere(): boolean;
  /** Has the owner build days of a period. Settles when it has done so. */
  askFor(websiteId: number, span: Span, kind: WantedKind): Promise<void>;
};

/**
 * Builds days here, or asks the owner for them. The store is opened when a build begins: it may write only for as
 * long as this process is the owner without a break.
 */
export function shareQueue(
  own: BuildQueue,
  owner: BuildOwner | undefined,
  open: (websiteId: number) => WebsiteStore,
): BuildQueue {
  if (owner === undefined) return own;

  /** Whoever asks rests as well, or each look at a large day would have it built again. */
  async function ask(websiteId: number, days: readonly DayState[], today: string, kind: WantedKind) {
    const span = { from: days[0]!.day, to: days.at(-1)!.day };
    await own.restAfter(websiteId, days, today, () => owner!.askFor(websiteId, span, kind));
  }

  const rebuildHere = (website: WebsiteStore, days: readonly DayState[], today: string) =>
    own.rebuild(open(website.websiteId), days, today, () => {});

  async function rebuildThere(website: WebsiteStore, days: readonly DayState[], today: string) {
    await ask(website.websiteId, days, today, 'all');
    const before = new Map(days.map(({ day, built }) => [day, built?.build]));
    const [first, last] = [days[0]!.day, days.at(-1)!.day];
    const left = (await readDays(website, { from: first, to: last })).filter(
      ({ day, records, built }) => records > 0 && before.has(day) && before.get(day) === built?.build,
    );
    if (left.length === 0) return;
    throw new OperatorError(
      `The server that calculates days could not recalculate ${left.length} of those from ${first} to ${last}. ` +
        'Its log says why. Then run the command again.',
    );
  }

  return {
    ...own,
    async buildOnce(website, days, today, isForced) {
      if (days.length === 0) return;
      if (owner.isHere())
        return await own.buildOnce(open(website.websiteId), days, today, isForced).catch(askAgainLater);
      await ask(website.websiteId, days, today, isForced === true ? 'all' : 'changed');
    },
    async refresh(website, days, today) {
      if (owner.isHere()) return await own.refresh(open(website.websiteId), days, today).catch(askAgainLater);
      if (days.length > 0) await ask(website.websiteId, days, today, 'refresh');
    },
    async rebuild(website, days, today, onProgress) {
      for (let done = 0; done < days.length; done += daysAtOnce) {
        onProgress(done);
        const part = days.slice(done, done + daysAtOnce);
        const isBuilt = owner.isHere() && (await isStillOwner(rebuildHere(website, part, today)));
        if (!isBuilt) await rebuildThere(website, part, today);
      }
    },
  };
}

/** False if another process took over in the middle. */
async function isStillOwner(building: Promise<void>): Promise<boolean> {
  try {
    await building;
    return true;
  } catch (error) {
    if (error instanceof NotOwner) return false;
    throw error;
  }
}

/** The next owner builds what was lost when this process was replaced. */
function askAgainLater(error: unknown): never {
  if (error instanceof NotOwner)
    throw new DaysNotReady('the days of this period are still being calculated', 'being-calculated');
  throw error;
}
