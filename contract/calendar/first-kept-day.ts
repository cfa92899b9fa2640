import { addDays } from './day.ts';

/**
 * The oldest local day that a retention keeps: today and the given number of days before it. So every record
 * is kept for at least that many whole days, and goes with the midnight that follows them.
 */
export function firstKeptDay(today: string, retentionDays: number): string {
  return addDays(today, -retentionDays);
}
