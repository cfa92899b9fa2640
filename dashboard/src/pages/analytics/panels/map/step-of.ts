export const steps = 6;

/**
 * How strongly a country is shaded, from 1 to `steps`, or 0 without visitors. The square root keeps one large
 * country from making all others look alike.
 */
export function stepOf(value: number, most: number): number {
  if (value <= 0 || most <= 0) return 0;
  return Math.max(1, Math.ceil(steps * Math.sqrt(Math.min(1, value / most)) - 1e-9));
}
