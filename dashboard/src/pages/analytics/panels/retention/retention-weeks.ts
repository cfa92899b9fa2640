import type { Span } from '../../view/view.ts';

const dayMs = 86_400_000;
export const weeksShown = 12;

/**
 * The weeks of the table: that of the last day, and those before it. A table of one week would tell nothing, so that it
 * does not follow the beginning of the period, only its end.
 */
export function weeksUpTo(lastDay: string): Span {
  const last = Date.parse(`${lastDay}T00:00:00Z`);
  // 1 January 1970 was a Thursday: three days after a Monday.
  const monday = last - ((last / dayMs + 3) % 7) * dayMs;
  return { from: toDay(monday - (weeksShown - 1) * 7 * dayMs), to: lastDay };
}

/** Whether the last of the weeks goes on after the last day: its numbers can only grow. */
export const isWeekOpen = (lastDay: string): boolean => new Date(`${lastDay}T00:00:00Z`).getUTCDay() !== 0;

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);
