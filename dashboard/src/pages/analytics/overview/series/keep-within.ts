/**
 * A time no earlier than one and no later than another. Times are compared as texts, in which they are in
 * their order.
 */
export function keepWithin(time: string, from: string, to: string): string {
  if (time < from) return from;
  return time > to ? to : time;
}
