import { isOutOfMemory } from '../../store/is-out-of-memory.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { AddressRules } from '../../text/address-rules.ts';
import type { Clock } from '../../time/clock.ts';
import { buildChange, noteChange } from './build-change.ts';
import type { TakeNumber } from './build-numbers.ts';
import { nameDayRules } from './day-rules.ts';
import { canChange, isLarge, isRenewalDue, type LargeDays } from './large-days.ts';
import { needsBuild, readDay } from './read-days.ts';
import type { ReplacedBuilds } from './replaced-builds.ts';
import type { RunBuilds } from './run-builds.ts';
import type { SliceSizes } from './slice-sizes.ts';

type Parts = {
  runBuilds: RunBuilds;
  replaced: ReplacedBuilds;
  takeNumber: TakeNumber;
  sliceSizes: Pick<SliceSizes, 'sizeFor' | 'shrink'>;
  largeDays: LargeDays;
  completeUpToMs: () => number;
  rulesOf: (websiteId: number) => AddressRules | undefined;
  clock: Clock;
};

/**
 * The result for a day: it is up to date, or it is up to date but its base should be rebuilt, or it has to be
 * built as a whole first.
 */
export type Refreshed = 'done' | 'renewal-due' | 'whole-due';

export type RefreshDay = ReturnType<typeof createRefreshDay>;

/** Brings a day up to date if that is quick: a small one as a whole, a large one by a change. */
export function createRefreshDay(parts: Parts) {
  const { runBuilds, replaced, takeNumber, sliceSizes, largeDays } = parts;
  const { completeUpToMs, rulesOf, clock } = parts;

  return async function refreshDay(store: WebsiteStore, day: string, today: string): Promise<Refreshed> {
    // The day is read again, because it may have been built while this waited for its turn.
    const state = await readDay(store, day);
    const isGone = state.records === 0 && state.built === undefined;
    if (isGone || !needsBuild(state, today)) return 'done';
    const rules = rulesOf(store.websiteId);
    const isOfRules = state.built?.rules === nameDayRules(rules);
    if (!isOfRules || !canChange(state, today, largeDays)) {
      if (isLarge(state, today, largeDays)) return 'whole-due';
      await runBuilds(store, [state], today);
      return 'done';
    }
    const previous = state.built!;
    const base = previous.base!;
    // If the clock was set back since, its time isn't reached for long. Records that came in are late ones.
    const isAhead = previous.asOfMs > clock.now();
    const completeMs = isAhead ? previous.asOfMs : completeUpToMs();
    // After a start, it takes a moment until it is known again what the store has.
    if (completeMs < previous.asOfMs) return 'done';
    const recordsPerSlice = sliceSizes.sizeFor(store.websiteId);
    const of = { store, day, base, previous, recordsPerSlice, rules };
    const change = await buildChange({ ...of, build: takeNumber([state]), completeMs }).catch(
      (error: unknown) => {
        // The sums of a change can't be divided. Those of a whole day can.
        if (!isOutOfMemory(error)) throw error;
        sliceSizes.shrink(store.websiteId);
      },
    );
    if (change === undefined) return 'whole-due';
    const note = { day, base, change, replaces: previous, rules, nowMs: clock.now() };
    if (!(await noteChange(store, note))) {
      replaced.add(store.websiteId, { ...change, isOpen: true, rules: previous.rules, base: undefined });
      return await refreshDay(store, day, today);
    }
    replaced.add(store.websiteId, previous, { base: base.build });
    await replaced.clearDue();
    return isRenewalDue(state, largeDays) ? 'renewal-due' : 'done';
  };
}
