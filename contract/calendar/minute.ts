/** A minute of a day is a text such as 2026-11-03T14:05, in no particular timezone. */
export const minuteMs = 60_000;

export function addMinutes(minute: string, minutes: number): string {
  return toMinute(startOf(minute) + minutes * minuteMs);
}

/** Returns how many minutes later the second minute is. */
export function minutesBetween(from: string, to: string): number {
  return (startOf(to) - startOf(from)) / minuteMs;
}

/** Returns the UTC minute of a moment. */
export function toMinute(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16);
}

const startOf = (minute: string) => Date.parse(`${minute}Z`);
