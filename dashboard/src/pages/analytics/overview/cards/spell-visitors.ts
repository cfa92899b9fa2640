import type { VisitorsAre } from '@trackside/contract/stats/answers.ts';
import type { OverviewWords } from '../overview-words.ts';

/** The short note after "Visitors", and its explanation. Undefined if they are simply different visitors. */
export function spellVisitors(
  visitorsAre: VisitorsAre | undefined,
  words: OverviewWords,
): { note: string; about: string } | undefined {
  if (visitorsAre === 'daily') return words.dailyVisitors;
  return visitorsAre === 'mixed' ? words.partlyDailyVisitors : undefined;
}
