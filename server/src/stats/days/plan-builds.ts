import type { DayTables } from './build-visits.ts';
import { type DayState, mayChange } from './read-days.ts';

export type PlannedBuild = { tables: DayTables; run: DayState[] };

const maxDays = 40;
const dayMs = 86_400_000;

/**
 * Cuts days that must be built into builds: of days that follow each other, not too many at once, and those that may
 * change soon (today and yesterday) apart from the others.
 */
export function planBuilds(days: readonly DayState[], today: string): PlannedBuild[] {
  const plans: PlannedBuild[] = [];
  for (const state of days) {
    const tables = mayChange(state.day, today) ? 'open' : 'closed';
    const current = plans.at(-1);
    const last = current?.run.at(-1);
    const isNext = last !== undefined && Date.parse(state.day) - Date.parse(last.day) === dayMs;
    if (current !== undefined && isNext && current.tables === tables && current.run.length < maxDays) {
      current.run.push(state);
    } else plans.push({ tables, run: [state] });
  }
  return plans;
}
