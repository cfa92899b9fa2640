import { createRandom, type Random } from './create-random.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

export type ClockStep =
  /** The clock is set by this much, and a while passes. */
  | { kind: 'jump'; byMs: number; forMs: number }
  /** The clock is set to a moment before a midnight, which then comes under load. */
  | { kind: 'midnight'; atMs: number; beforeMs: number }
  /** The node is killed, and its clock may be set while it is away. */
  | { kind: 'kill'; byMs: number; forMs: number };

/** Where every round begins: two days before a leap day, so that small jumps reach it and the next month. */
export const roundStartMs = Date.parse('2028-02-27T15:00:00Z');

/** The ends of months, of the leap day and of days in some timezone. */
const midnights = [
  '2028-02-28T11:00:00Z', // in Auckland, the leap day begins
  '2028-02-29T00:00:00Z',
  '2028-02-29T23:00:00Z', // in Berlin, the month ends
  '2028-03-01T00:00:00Z',
  '2028-03-01T10:00:00Z', // in Honolulu, the month ends
  '2028-03-31T00:00:00Z',
  '2028-04-01T00:00:00Z',
].map((text) => Date.parse(text));

/** Plans how the clock of a round goes wrong. The seed alone decides. */
export function planClock(seed: number, faults: number): ClockStep[] {
  const random = createRandom(seed);
  return Array.from({ length: faults }, () => planStep(random));
}

function planStep(random: Random): ClockStep {
  const forMs = random.whole(200, 2_500);
  if (random.isOnce(3))
    return { kind: 'midnight', atMs: random.pick(midnights), beforeMs: random.whole(0, 1_500) };
  if (random.isOnce(3)) return { kind: 'kill', byMs: random.isOnce(2) ? 0 : planJump(random), forMs };
  return { kind: 'jump', byMs: planJump(random), forMs };
}

function planJump(random: Random): number {
  const farMs = random.pick([20 * minuteMs, 3 * 60 * minuteMs, 2 * dayMs, 33 * dayMs]);
  return random.whole(-farMs, farMs);
}

export function describeClockStep(step: ClockStep): string {
  if (step.kind === 'midnight')
    return `midnight at ${new Date(step.atMs).toISOString()}, ${step.beforeMs} ms before it`;
  const by = `the clock ${step.byMs < 0 ? 'back' : 'forward'} by ${Math.abs(step.byMs / minuteMs).toFixed(1)} min`;
  return step.kind === 'kill' ? `kill node, ${by} while it is away` : by;
}
