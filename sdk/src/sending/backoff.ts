const firstMs = 250;
const longestMs = 30_000;

/**
 * Full jitter: anything from 0 to a bound that doubles, so that many clients do not come back in the same
 * moment.
 */
export function backoffMs(failures: number, random: () => number): number {
  return random() * Math.min(longestMs, firstMs * 2 ** (failures - 1));
}
