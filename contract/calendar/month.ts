import { addDays, toDay } from './day.ts';

/** Returns the first day of a day's month. */
export function monthStart(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

/** Returns the last day of a day's month. */
export function monthEnd(day: string): string {
  return addDays(addMonths(monthStart(day), 1), -1);
}

/** Returns the first day of the month that is this many months later. */
export function addMonths(firstDay: string, months: number): string {
  const date = new Date(`${firstDay}T00:00:00Z`);
  return toDay(date.setUTCMonth(date.getUTCMonth() + months));
}

/** Returns how many months later the month of the second day is. */
export function monthsBetween(from: string, to: string): number {
  return monthNumber(to) - monthNumber(from);
}

const monthNumber = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
