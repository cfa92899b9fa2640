/** The time of the system. It is passed in so that tests can start a new month or let the clock jump. */
export type Clock = {
  /** Wall-clock time in milliseconds since 1970, UTC. May jump. */
  now(): number;
  /** Milliseconds that only go forward, at the speed of real time. */
  monotonicMs(): number;
};

export const systemClock: Clock = {
  now: Date.now,
  monotonicMs: () => performance.now(),
};
