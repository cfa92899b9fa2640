import type { Clock } from './clock.ts';

/** How far the wall clock may drift from real time before it counts as having been set. */
const maxDriftMs = 60_000;

/** A moment by both clocks. Whatever follows can be measured from it, even if the wall clock is set. */
export type ClockAnchor = { wallMs: number; monotonicMs: number };

export function takeAnchor(clock: Clock): ClockAnchor {
  return { wallMs: clock.now(), monotonicMs: clock.monotonicMs() };
}

/** Whether the wall clock was set since then: it has not gone at the speed of real time. */
export function wasSetSince(clock: Clock, { wallMs, monotonicMs }: ClockAnchor): boolean {
  return Math.abs(clock.now() - wallMs - (clock.monotonicMs() - monotonicMs)) > maxDriftMs;
}
