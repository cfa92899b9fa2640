import { Skeleton } from '#design/display/skeleton.tsx';

const widths = [100, 64, 48, 40, 31, 26, 20, 16, 13, 11, 9];

/** Rows that are on their way. */
export function BarSkeleton({ limit }: { limit: number }) {
  return (
    <div class="bar-skeleton" aria-hidden="true">
      {widths.slice(0, limit).map((width) => (
        <Skeleton key={width} width={`${width}%`} height={32} />
      ))}
    </div>
  );
}
