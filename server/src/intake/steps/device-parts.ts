import type { Valid } from './validate.ts';

/** How many records of a device belong together. A long one counts as several. */
export const mostOfPart = 10_000;
const charsOfOne = 1024;
const counters = 100_000;
const dayMs = 86_400_000;

/**
 * Divides what a device sends in a day, if it is more than a person could send: a backend passes on its own
 * address instead of the visitor's, or someone tests or attacks a website. Each part counts as a device of its
 * own, because the store holds all records of a device in memory to find its visits.
 *
 * Devices share counters, so that there are few of them. Now and then, a part ends early because of that.
 */
export function createDeviceParts(): (deviceId: string, valid: Valid, nowMs: number) => number {
  const counts = new Uint32Array(counters);
  let lastDay = Number.NaN;
  return (deviceId, valid, nowMs) => {
    const day = Math.floor(nowMs / dayMs);
    if (day !== lastDay) counts.fill(0);
    lastDay = day;
    const at = Number(deviceId.slice(-5));
    const before = counts[at]!;
    counts[at] = before + 1 + Math.floor(charsOf(valid) / charsOfOne);
    return Math.floor(before / mostOfPart);
  };
}

/** About how much text a record has. */
function charsOf({ kind, body }: Valid): number {
  const { Page, Referrer } = body.Metrics;
  let chars = Page.Absolute.length + (Referrer.Absolute?.length ?? 0);
  if (kind === 'event') for (const { Name, Value } of body.Parameters) chars += Name.length + Value.length;
  return chars;
}
