import { addDays } from '@trackside/contract/calendar/day.ts';
import type { DayTables } from './build-visits.ts';
import { type DayState, mayChange } from './read-days.ts';

export type PlannedBuild = { tables: DayTables; run: DayState[] };

const maxDays = 40;

/**
 * Groups days into builds. The days of a build follow each other and have no more records than one statement
 * should hold. Days that may still change, today and yesterday, are built apart. A day is never split.
 */
export function planBuilds(days: readonly DayState[], today: string, maxRecords: number): PlannedBuild[] {
  const plans: PlannedBuild[] = [];
  for (const state of days) {
    const tables = mayChange(state.day, today) ? 'open' : 'closed';
    const current = plans.at(-1);
    const last = current?.run.at(-1);
    const isNext = last !== undefined && state.day === addDays(last.day, 1);
    const hasRoom =
      current !== undefined &&
      current.run.length < maxDays &&
      recordsOf(current.run) + state.records <= maxRecords;
    if (isNext && hasRoom && current.tables === tables) current.run.push(state);
    else plans.push({ tables, run: [state] });
  }
  return plans;
}

function recordsOf(days: readonly DayState[]): number {
  return days.reduce((sum, { records }) => sum + records, 0);
}
