import { ControlError } from './database/control-error.ts';

/** Lets a few pieces of work run at once and the others wait in the order in which they came. */
export type Line = {
  <T>(work: () => Promise<T>): Promise<T>;
  /** Whether more work would be refused now. */
  isFull(): boolean;
};

export function createLine({ places, maxWaiting }: { places: number; maxWaiting: number }): Line {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const isFull = () => taken >= places && waiting.length >= maxWaiting;
  const run = async <T>(work: () => Promise<T>) => {
    if (taken < places) {
      taken++;
    } else {
      if (isFull()) {
        throw new ControlError('busy', 'Too many requests at once. Try again in a few seconds.');
      }
      // Whoever leaves hands over its place, so that nobody who comes later can take it.
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) taken--;
      else next();
    }
  };
  return Object.assign(run, { isFull });
}
