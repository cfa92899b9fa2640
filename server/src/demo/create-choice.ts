import type { Random } from './create-random.ts';

export type Weighted<T> = readonly (readonly [weight: number, value: T])[];

/** Creates a function that chooses among values, each as often as its weight says. */
export function createChoice<T>(options: Weighted<T>): (random: Random) => T {
  let total = 0;
  const upTo = options.map(([weight]) => {
    total += weight;
    return total;
  });
  if (!(total > 0)) throw new Error(`expected weights with a sum above 0, got ${total}`);
  return (random) => {
    const at = random.next() * total;
    return options[upTo.findIndex((end) => at < end)]![1];
  };
}
