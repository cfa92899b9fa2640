import { addDays } from './day.ts';

/** From 0 for Sunday to 6 for Saturday. */
export function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00Z`).getUTCDay();
}

/** The Monday of the week in which a day lies. */
export function mondayOf(day: string): string {
  return addDays(day, -((weekdayOf(day) + 6) % 7));
}

/** Every Monday from one day to another, both included. */
export function listMondays(from: string, to: string): string[] {
  const mondays: string[] = [];
  for (let monday = mondayOf(addDays(from, 6)); monday <= to; monday = addDays(monday, 7))
    mondays.push(monday);
  return mondays;
}
