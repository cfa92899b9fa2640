import { test } from 'node:test';

/** Whether `npm run test:long` runs: every row of the tables, more rounds, more random cases. */
export const isLongForm = process.env.TRACKSIDE_LONG_TESTS === '1';

/**
 * Declares a test that only `npm run test:long` runs: another way to what the tests beside it show, or an
 * installation that few have.
 */
export const testLong = isLongForm ? test : (_name: string, ..._rest: unknown[]): void => {};

/** Returns how many rounds or random cases to try. */
export const times = (short: number, long: number): number => (isLongForm ? long : short);

/**
 * Returns the elements to try in a round: all of them in the long form, and in the short form a different one
 * in each round.
 */
export function takeTurns<Element>(all: readonly Element[], round: number): readonly Element[] {
  return isLongForm ? all : [all[round % all.length]!];
}

const step = 7;

/**
 * Returns the places of a file to try, from the first to the last: all of them in the long form, and in the
 * short form every seventh, the last, and those that must not be left out with their neighbors.
 */
export function placesBetween(first: number, last: number, notLeftOut: readonly number[] = []): number[] {
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const isChosen = (place: number) =>
    place === last || (place - first) % step === 0 || notLeftOut.some((one) => Math.abs(one - place) <= 1);
  return isLongForm ? all : all.filter(isChosen);
}
