/**
 * A calendar day is a text such as 2026-11-03. It compares and sorts as it is, in any timezone. Its
 * arithmetic is done in UTC, where every day has 24 hours.
 */
export const dayMs = 86_400_000;

/** Returns whether a text is a day that exists, written in full. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const ms = startOf(text);
  // February 30 is parsed as a day in March.
  return !Number.isNaN(ms) && toDay(ms) === text;
}

/** Returns the UTC day of a moment. */
export function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

export function addDays(day: string, days: number): string {
  return toDay(startOf(day) + days * dayMs);
}

/** Returns how many days later the second day is. */
export function daysBetween(from: string, to: string): number {
  return (startOf(to) - startOf(from)) / dayMs;
}

/** Returns the same day a year before, and February 28 for February 29. */
export function yearBefore(day: string): string {
  const year = String(Number(day.slice(0, 4)) - 1).padStart(4, '0');
  const same = `${year}${day.slice(4)}`;
  return isDay(same) ? same : `${year}-02-28`;
}

const startOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
