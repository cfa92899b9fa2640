import assert from 'node:assert';
import type { Log } from '../../log.ts';
import type { WebsiteStore } from '../../store/website-store.ts';
import type { AddressRules } from '../../text/address-rules.ts';
import type { Clock } from '../../time/clock.ts';
import type { AsOf } from './as-of.ts';
import { buildDays } from './build-days.ts';
import { planBuilds } from './plan-builds.ts';
import type { DayState } from './read-days.ts';
import { DaysNotReady } from './ready-days.ts';
import type { ReplacedBuilds } from './replaced-builds.ts';

type Options = {
  asOf: Pick<AsOf, 'forget'>;
  replaced: ReplacedBuilds;
  isStopping: () => boolean;
  recordsPerSlice: number;
  rulesOf: (websiteId: number) => AddressRules | undefined;
  completeUpToMs: () => number;
  clock: Clock;
  log: Log;
};

export type RunBuilds = ReturnType<typeof createRunBuilds>;

/** How many numbers a build takes: it needs one for each of its days. */
const buildsPerJob = 1000n;

/**
 * Builds days, whether they need it or not, under numbers that only grow. The caller makes sure that one
 * build runs at a time.
 */
export function createRunBuilds(options: Options) {
  const { asOf, replaced, isStopping, recordsPerSlice, completeUpToMs, rulesOf, clock, log } = options;
  let lastBuild = 0n;
  let isRunning = false;

  /**
   * Takes a number above those of all builds that are replaced: of two builds of a day, the one with the
   * higher number counts.
   */
  function takeNumber(run: readonly DayState[]): bigint {
    const highest = run.reduce((most, { built }) => maxOf(most, BigInt(built?.build ?? 0)), lastBuild);
    const build = maxOf(BigInt(clock.now()) * 1000n, highest + buildsPerJob);
    assert(
      build >= lastBuild + buildsPerJob,
      'Each build must have numbers of its own: rows of two under one number are added up together.',
    );
    lastBuild = build;
    return build;
  }

  async function runInTurn(store: WebsiteStore, days: readonly DayState[], today: string): Promise<void> {
    for (const { tables, run } of planBuilds(days, today, recordsPerSlice)) {
      if (isStopping()) throw new DaysNotReady('the server is stopping', 'engine-away');
      const build = takeNumber(run);
      const times = { nowMs: clock.now(), completeMs: completeUpToMs() };
      const rules = rulesOf(store.websiteId);
      await buildDays({ store, days: run, tables, build, recordsPerSlice, rules, ...times });
      for (const { built } of run) {
        if (built === undefined) continue;
        replaced.add(store.websiteId, built);
        asOf.forget(built.build);
      }
    }
    // The build is done, even if removing old builds fails. The sweep removes what is left.
    await replaced
      .clearDue()
      .catch((error: unknown) =>
        log.warn(
          { err: error, website: store.websiteId },
          'builds that nobody reads any more could not be removed',
        ),
      );
  }

  return async (store: WebsiteStore, days: readonly DayState[], today: string): Promise<void> => {
    assert(!isRunning, 'Days must be built one build at a time: the later of two could be the older one.');
    isRunning = true;
    try {
      await runInTurn(store, days, today);
    } finally {
      isRunning = false;
    }
  };
}

const maxOf = (a: bigint, b: bigint) => (a > b ? a : b);
