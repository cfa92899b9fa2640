import { useAnswer } from '../../ask/use-answer.ts';

export type Totals = { visitors: number; events: number };

/** What shares are of. Every list asks the same, so it is asked once. */
export function useTotals(): Totals | undefined {
  const { answer } = useAnswer('query', ({ filters }, period) => ({
    period,
    filters,
    metrics: ['visitors', 'events'],
  }));
  const metrics = answer?.rows[0]?.metrics;
  return metrics === undefined ? undefined : { visitors: metrics.visitors ?? 0, events: metrics.events ?? 0 };
}
