import { Skeleton } from '#design/display/skeleton.tsx';
import { weeksShown } from './retention-weeks.ts';

const rowPx = 32;
const restPx = 31;

/** A placeholder with the size of the table, including the sentence and the head above it. */
export function RetentionSkeleton() {
  return <Skeleton height={(weeksShown + 1) * rowPx + restPx} />;
}
