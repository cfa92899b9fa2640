import { Skeleton } from '#design/display/skeleton.tsx';

/** A placeholder with the size of a card, shown until the websites are known. */
export function WebsiteCardSkeleton() {
  return (
    <div class="card website" aria-hidden="true">
      <div class="website-head">
        <Skeleton width="30px" height={30} />
        <div class="grow stack-tight">
          <Skeleton width="46%" height={14} />
          <Skeleton width="34%" height={12} />
        </div>
      </div>
      <div class="website-numbers stack-tight">
        <Skeleton width="58%" height={28} />
        <Skeleton height={82} />
      </div>
      <div class="website-usage">
        <Skeleton width="64%" height={13} />
      </div>
    </div>
  );
}
