import { Card } from '#design/display/card.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';

/** A placeholder with the size of the page while the settings are loading. */
export function EditWebsiteSkeleton() {
  return (
    <div class="two-columns">
      <div class="stack">
        <Card title="API key">
          <Skeleton width="86%" />
          <Skeleton height={46} />
          <Skeleton width="70%" height={36} />
          <Skeleton height={84} />
        </Card>
        <Card title="Recent requests">
          <Skeleton width="86%" />
          <Skeleton height={120} />
        </Card>
      </div>
      <div class="stack">
        <Card title="Website">
          <Skeleton height={36} />
          <Skeleton height={36} />
          <Skeleton height={36} />
          <Skeleton width="120px" height={36} />
        </Card>
        <Card title="Monthly contingent">
          <Skeleton width="50%" />
          <Skeleton height={8} />
        </Card>
      </div>
    </div>
  );
}
