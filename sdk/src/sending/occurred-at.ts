import type { Clock } from '../time/clock.ts';

/** When a record was handed over, by both clocks, because either can stop or jump. */
export type HandedOver = { trackedMs: number; trackedAt: number };

/** Sooner than that, the time of arrival says the same. */
const worthTellingMs = 5000;
/**
 * The server takes records of the last 25 hours, unless it is configured otherwise. The hour is for repeats,
 * which must not change anymore.
 */
const longestTellableMs = 24 * 60 * 60 * 1000;

export function noteHandOver(clock: Clock): HandedOver {
  return { trackedMs: clock.monotonicMs(), trackedAt: clock.now() };
}

/** Returns the time to send with a record, or undefined if it is to count when it arrives. */
export function findOccurredAt({ trackedMs, trackedAt }: HandedOver, clock: Clock): number | undefined {
  const now = clock.now();
  // The larger of the two, because one clock stops while the machine sleeps, and the other can be set back. So
  // the time is never in the future.
  const waitedMs = Math.max(clock.monotonicMs() - trackedMs, now - trackedAt);
  return waitedMs > worthTellingMs && waitedMs <= longestTellableMs ? Math.floor(now - waitedMs) : undefined;
}

/** Adds the time at the end of a body. */
export function addOccurredAt(body: string, occurredAt: number | undefined): string {
  if (occurredAt === undefined) return body;
  return `${body.slice(0, -1)},"OccurredAt":"${new Date(occurredAt).toISOString()}"}`;
}
