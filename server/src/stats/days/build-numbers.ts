import assert from 'node:assert';
import type { Clock } from '../../time/clock.ts';
import type { DayState } from './read-days.ts';

/** How many numbers a build takes: it needs one for each of its days. */
const numbersPerBuild = 1000n;

export type TakeNumber = ReturnType<typeof createBuildNumbers>;

/** Gives each build a number: the time when it begins, in microseconds, or more. */
export function createBuildNumbers(clock: Pick<Clock, 'now'>) {
  let last = 0n;

  /**
   * Takes a number above those of all builds that are replaced: of two builds of a day, the one with the
   * higher number counts.
   */
  return (replaced: readonly Pick<DayState, 'built'>[]): bigint => {
    const highest = replaced.reduce((most, { built }) => maxOf(most, BigInt(built?.build ?? 0)), last);
    const build = maxOf(BigInt(clock.now()) * 1000n, highest + numbersPerBuild);
    assert(
      build >= last + numbersPerBuild,
      'Each build must have its own numbers, or the rows of two builds are added up together.',
    );
    last = build;
    return build;
  };
}

const maxOf = (a: bigint, b: bigint) => (a > b ? a : b);
