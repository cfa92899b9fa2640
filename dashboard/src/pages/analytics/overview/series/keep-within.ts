/** Limits a time to a range. Times are compared as texts, which sort in the same order. */
export function keepWithin(time: string, from: string, to: string): string {
  if (time < from) return from;
  return time > to ? to : time;
}
