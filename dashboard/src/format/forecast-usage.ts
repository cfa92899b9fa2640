import type { Usage } from '#api/shapes.ts';

export type Forecast = {
  /** The expected number of records at the end of the month. */
  total: number;
  /** When the contingent will be used up, if that is this month. */
  usedUpAt: string | undefined;
};

const hourMs = 3_600_000;

/** Predicts the usage at the end of the month. Undefined while there is too little data. */
export function forecastUsage(usage: Usage, createdAt: string, nowMs: number): Forecast | undefined {
  const endMs = Date.parse(usage.resetsAt);
  const end = new Date(endMs);
  const monthBeginMs = Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1);
  const beginMs = Math.max(monthBeginMs, Date.parse(createdAt));
  const pastMs = nowMs - beginMs;
  if (pastMs < 12 * hourMs || usage.used < 100 || nowMs >= endMs) return undefined;
  const perMs = usage.used / pastMs;
  const total = usage.used + perMs * (endMs - nowMs);
  const { limit, used } = usage;
  const isUsedUp = limit !== null && used < limit && total > limit;
  return {
    total: Number(total.toPrecision(total < 1_000 ? 2 : 3)),
    usedUpAt: isUsedUp ? new Date(nowMs + (limit - used) / perMs).toISOString() : undefined,
  };
}
