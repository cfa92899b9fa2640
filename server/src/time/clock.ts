/** Time as the system sees it, passed in so that tests can turn the month or let the clock jump. */
export type Clock = {
  /** Wall-clock time in milliseconds since 1970, UTC. May jump. */
  now(): number;
  /** Milliseconds that only ever go forward, at the speed of real time. */
  monotonicMs(): number;
};

export const systemClock: Clock = {
  now: Date.now,
  monotonicMs: () => performance.now(),
};
