import type { VisitorsAre } from '@trackside/contract/stats/answers.ts';

/** The short note after "Visitors", and its explanation. Undefined if they are simply different visitors. */
export function spellVisitors(
  visitorsAre: VisitorsAre | undefined,
): { note: string; title: string } | undefined {
  if (visitorsAre === 'daily')
    return {
      note: 'daily',
      title: 'The sum of each day’s visitors. Somebody who comes on three days counts three times.',
    };
  if (visitorsAre === 'mixed')
    return {
      note: 'partly daily',
      title: 'Visitors with a ClientId count once. The others count once on each day that they come.',
    };
  return undefined;
}
