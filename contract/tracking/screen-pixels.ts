import { expected } from './rule.ts';

const maxPixels = 100_000;

/** Screen width or height; 0 stands for unknown. */
export function screenPixels(value: unknown): string | undefined {
  if (typeof value !== 'number' || !(value >= 0)) return expected('a number of at least 0', value);
  if (value > maxPixels) return `expected a number of at most ${maxPixels}, got a larger number`;
  return undefined;
}
