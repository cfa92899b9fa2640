import assert from 'node:assert';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { AddressRules } from '../../text/address-rules.ts';
import type { Clock } from '../../time/clock.ts';
import { buildBase } from './build-base.ts';
import { buildDays } from './build-days.ts';
import type { TakeNumber } from './build-numbers.ts';
import type { BuildTurns } from './build-turns.ts';
import { isLarge, type LargeDays } from './large-days.ts';
import { planBuilds } from './plan-builds.ts';
import type { DayState } from './read-days.ts';
import { DaysNotReady } from './ready-days.ts';
import type { ReplacedBuilds } from './replaced-builds.ts';
import type { SliceSizes } from './slice-sizes.ts';

type Options = {
  replaced: ReplacedBuilds;
  takeNumber: TakeNumber;
  turns: Pick<BuildTurns, 'quick'>;
  isStopping: () => boolean;
  sliceSizes: Pick<SliceSizes, 'usualRecords' | 'build'>;
  rulesOf: (websiteId: number) => AddressRules | undefined;
  largeDays: LargeDays;
  completeUpToMs: () => number;
  clock: Clock;
};

export type RunBuilds = ReturnType<typeof createRunBuilds>;

/**
 * Builds days as a whole, whether they need it or not, under numbers that only grow. The caller makes sure
 * that one build runs at a time.
 */
export function createRunBuilds(options: Options) {
  const { replaced, takeNumber, isStopping, sliceSizes, largeDays } = options;
  const { completeUpToMs, rulesOf, clock } = options;
  let isRunning = false;

  async function runInTurn(store: WebsiteStore, days: readonly DayState[], today: string): Promise<void> {
    const { large = [], others = [] } = Object.groupBy(days, (state) =>
      isLarge(state, today, largeDays) ? 'large' : 'others',
    );
    for (const { tables, run } of planBuilds(others, today, sliceSizes.usualRecords)) {
      refuseWhenStopping();
      await sliceSizes.build(store.websiteId, async (recordsPerSlice) => {
        const build = takeNumber(run);
        const times = { nowMs: clock.now(), completeMs: completeUpToMs() };
        const rules = rulesOf(store.websiteId);
        await buildDays({ store, days: run, tables, build, recordsPerSlice, rules, ...times });
      });
      for (const { built } of run) replaced.add(store.websiteId, built);
    }
    for (const state of large) {
      refuseWhenStopping();
      await sliceSizes.build(store.websiteId, (recordsPerSlice) =>
        buildBase({ ...options, recordsPerSlice }, store, state),
      );
    }
    await replaced.clearDue();
  }

  function refuseWhenStopping(): void {
    if (isStopping()) throw new DaysNotReady('the server is stopping', 'engine-away');
  }

  return async (store: WebsiteStore, days: readonly DayState[], today: string): Promise<void> => {
    assert(!isRunning, 'Only one build may run at a time, or the later of two could be the older one.');
    isRunning = true;
    try {
      await runInTurn(store, days, today);
    } finally {
      isRunning = false;
    }
  };
}
