import { addDays } from './day.ts';

/**
 * Returns the oldest local day that a retention keeps: today and the given number of days before it are kept.
 * So every record is kept for at least that many whole days, and is removed at the midnight after them.
 */
export function firstKeptDay(today: string, retentionDays: number): string {
  return addDays(today, -retentionDays);
}
