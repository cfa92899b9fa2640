import { hash } from 'node:crypto';

/** Random numbers that are the same for the same seed, so that a demo can be repeated. */
export type Random = {
  /** Returns a number from 0 up to, but not including, 1. */
  next(): number;
  /** Returns a whole number from `min` to `max`, both included. */
  between(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /**
   * Returns a number that is below `median` half of the time. The larger `sigma`, the longer the tail above
   * it.
   */
  spread(median: number, sigma: number): number;
};

/**
 * Creates random numbers from a seed that consists of all parts. Each day has its own numbers, whatever the
 * days before it used.
 */
export function createRandom(...parts: readonly (number | string)[]): Random {
  let state = Number.parseInt(hash('sha256', parts.join('\0'), 'hex').slice(0, 8), 16);

  // mulberry32: 32 bits of state are plenty for numbers that only have to look realistic.
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), bits | 61)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  }

  function normal(): number {
    return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  }

  return {
    next,
    between: (min, max) => min + Math.floor(next() * (max - min + 1)),
    chance: (probability) => next() < probability,
    pick: (list) => list[Math.floor(next() * list.length)]!,
    spread: (median, sigma) => median * Math.exp(sigma * normal()),
  };
}
