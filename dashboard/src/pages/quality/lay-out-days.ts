import { addDays, daysBetween } from '@trackside/contract/calendar/day.ts';
import { mondayOf } from '@trackside/contract/calendar/week.ts';

export type PlacedDay = { day: string; column: number; row: number };

/** A week is a column. The days of a week that isn't longer are in one row, next to each other. */
const daysInRow = 7;

/** Returns the place of each day of a period, from 0. */
export function layOutDays({ from, to }: { from: string; to: string }): PlacedDay[] {
  const count = daysBetween(from, to) + 1;
  const before = count <= daysInRow ? 0 : daysBetween(mondayOf(from), from);
  return Array.from({ length: count }, (_, index) => {
    const day = addDays(from, index);
    if (count <= daysInRow) return { day, column: index, row: 0 };
    return { day, column: Math.floor((before + index) / 7), row: (before + index) % 7 };
  });
}

/** A label covers about two columns. */
const labelColumns = 2;

/** Returns the top days of the columns that get the name of a month: the first of each month for which there is room. */
export function pickMonthLabels(placed: readonly PlacedDay[]): PlacedDay[] {
  const tops = placed.filter(({ column }, index) => column !== placed[index - 1]?.column);
  const firsts = tops.filter(({ day }, index) => day.slice(0, 7) !== tops[index - 1]?.day.slice(0, 7));
  const hasRoom = firsts[1] === undefined || firsts[1].column >= labelColumns;
  return hasRoom ? firsts : firsts.slice(1);
}
