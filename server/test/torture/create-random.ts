export type Random = ReturnType<typeof createRandom>;

/** A generator that gives the same numbers for the same seed, on every machine (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  /** Returns a number from 0 up to 1. */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (from: number, to: number): number => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    /** Returns a whole number, both bounds included. */
    whole,
    pick: <Element>(all: readonly Element[]): Element => all[whole(0, all.length - 1)]!,
    isOnce: (among: number): boolean => next() * among < 1,
  };
}
