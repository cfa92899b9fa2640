const firstMs = 250;
const longestMs = 30_000;

/**
 * Returns a delay with full jitter: anything from 0 to a limit that doubles, so that many clients do not
 * return at the same moment.
 */
export function backoffMs(failures: number, random: () => number): number {
  return random() * Math.min(longestMs, firstMs * 2 ** (failures - 1));
}
