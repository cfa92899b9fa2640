import { Skeleton } from '#design/display/skeleton.tsx';
import { weeksShown } from './retention-weeks.ts';

const rows = Array.from({ length: weeksShown + 1 }, (_, index) => index);

/** A placeholder with the size of the table, including the sentence and the head above it. */
export function RetentionSkeleton() {
  return (
    <div class="retention-coming" aria-hidden="true">
      {rows.map((index) => (
        <Skeleton key={index} height={30} width={`${100 - index * 7}%`} />
      ))}
    </div>
  );
}
