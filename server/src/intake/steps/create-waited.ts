import type { RuleFault } from '@trackside/contract/tracking/field-rules.ts';
import { readTime } from '@trackside/contract/tracking/occurred-at.ts';
import { maxLateHours } from '../../records/late-limits.ts';
import { malformedField, type Refusal } from '../refusal.ts';
import type { Valid } from './validate.ts';

/**
 * Returns how long before its arrival a record happened, in milliseconds, or a refusal. 0 for a record that
 * doesn't say when.
 */
export type Waited = (valid: Valid, nowMs: number) => number | Refusal;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** How far two clocks that are both kept right may be apart. */
const clocksApartMs = 5 * minuteMs;

/** With 0 hours, a record has to come at once. It is still given the time by which clocks differ. */
export function createWaited(lateHours: number): Waited {
  const latestMs = Math.max(lateHours * hourMs, clocksApartMs);
  return ({ body }, nowMs) => {
    if (body.OccurredAt === undefined || body.OccurredAt === null) return 0;
    const waitedMs = nowMs - readTime(body.OccurredAt)!;
    if (waitedMs < -clocksApartMs) return refuseTime(ahead(-waitedMs));
    if (waitedMs > latestMs) return refuseTime(tooOld(waitedMs, latestMs));
    return Math.max(0, waitedMs);
  };
}

/** About the time at which a record happened. */
export const refuseTime = (fault: RuleFault): Refusal =>
  malformedField({ path: 'OccurredAt', fault, others: 0 });

const ahead = (byMs: number): RuleFault => ({
  expected: 'a time that is not in the future',
  got: `one that is ${spellSpan(byMs)} ahead of the server's clock`,
  advice: "set the sender's clock or the server's right",
});

const tooOld = (ageMs: number, latestMs: number): RuleFault => ({
  expected: `a time of at most ${spellSpan(latestMs)} ago`,
  got: `one from ${spellSpan(ageMs)} ago`,
  advice: `the server's setting TRACKSIDE_LATE_HOURS can allow up to ${maxLateHours} hours`,
});

const units = [
  { name: 'hour', seconds: 3600 },
  { name: 'minute', seconds: 60 },
  { name: 'second', seconds: 1 },
];

/** Rounds up, so that a time just beyond a limit never looks like the limit. */
function spellSpan(ms: number): string {
  let left = Math.ceil(ms / 1000);
  const parts: string[] = [];
  for (const { name, seconds } of units) {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    if (count > 0) parts.push(`${count} ${name}${count === 1 ? '' : 's'}`);
  }
  return parts.join(' ');
}
