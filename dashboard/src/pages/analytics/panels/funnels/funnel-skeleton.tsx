import { Skeleton } from '#design/display/skeleton.tsx';
import './funnel-steps.css';

const widths = [100, 62, 44, 30, 22, 16, 12, 9];

/** A placeholder for a funnel that is loading. */
export function FunnelSkeleton({ steps }: { steps: number }) {
  return (
    <div aria-hidden="true">
      <div class="funnel-sum">
        <Skeleton width="220px" height={16} />
      </div>
      <div class="funnel-skeleton">
        {widths.slice(0, steps).map((width) => (
          <Skeleton key={width} width={`${width}%`} height={32} />
        ))}
      </div>
    </div>
  );
}
