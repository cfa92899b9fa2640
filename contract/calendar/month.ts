import { addDays, toDay } from './day.ts';

/** The first day of the month in which a day lies. */
export function monthStart(day: string): string {
  return `${day.slice(0, 7)}-01`;
}

/** The last day of the month in which a day lies. */
export function monthEnd(day: string): string {
  return addDays(addMonths(monthStart(day), 1), -1);
}

/** The first day of a month, so many months later. */
export function addMonths(firstDay: string, months: number): string {
  const date = new Date(`${firstDay}T00:00:00Z`);
  return toDay(date.setUTCMonth(date.getUTCMonth() + months));
}

/** How many months later the month of the second day is. */
export function monthsBetween(from: string, to: string): number {
  return monthNumber(to) - monthNumber(from);
}

const monthNumber = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
