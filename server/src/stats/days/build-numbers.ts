import assert from 'node:assert';
import type { Clock } from '../../time/clock.ts';
import type { DayState } from './read-days.ts';

/** How many numbers a build takes: it needs one for each of its days. */
const numbersPerBuild = 64n;
/** How many processes can begin a build of the same website in the same millisecond. */
const slots = 16_384n;
const numbersPerMs = numbersPerBuild * slots;

export type TakeNumber = ReturnType<typeof createBuildNumbers>;

/** The lowest number of builds that begin at this moment. */
export const buildNumberAt = (ms: number): bigint => BigInt(ms) * numbersPerMs;

/**
 * Gives each build a number, by the time when it begins. The process has a slot of its own in each millisecond,
 * by its fence, so no other process can give its build the same number: their rows would be added up together.
 */
export function createBuildNumbers(clock: Pick<Clock, 'now'>, fence: () => number) {
  let last = 0n;

  /**
   * Takes a number above those of all builds that are replaced: of two builds of a day, the one with the
   * higher number counts.
   */
  return (replaced: readonly Pick<DayState, 'built'>[]): bigint => {
    const highest = replaced.reduce((most, { built }) => maxOf(most, BigInt(built?.build ?? 0)), last);
    const first = maxOf(buildNumberAt(clock.now()), (highest / numbersPerMs + 1n) * numbersPerMs);
    const build = first + slotOf(fence()) * numbersPerBuild;
    assert(
      build >= last + numbersPerBuild,
      'Each build must have its own numbers, or the rows of two builds are added up together.',
    );
    last = build;
    return build;
  };
}

/** The only server on its store has the first slot. */
const slotOf = (fence: number): bigint => (fence === 0 ? 0n : 1n + (BigInt(fence) % (slots - 1n)));

const maxOf = (a: bigint, b: bigint) => (a > b ? a : b);
