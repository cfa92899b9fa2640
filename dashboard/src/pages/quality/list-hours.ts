import { createLocalTimeOrUtc } from '@trackside/contract/calendar/local-time.ts';

const hourMs = 3_600_000;
/** No timezone is further from UTC than this. */
const mostHours = 15;

/** Returns the starts of the UTC hours that begin on a day of a timezone: 23 to 25 of them. */
export function listHours(day: string, timezone: string): number[] {
  const localTime = createLocalTimeOrUtc(timezone);
  const firstMs = Date.parse(day) - mostHours * hourMs;
  return Array.from({ length: 24 + 2 * mostHours }, (_, index) => firstMs + index * hourMs).filter(
    (ms) => localTime(ms).day === day,
  );
}
