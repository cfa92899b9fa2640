import { HeaderToolsRoom } from '#app/frame/header-tools.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import './website-page.css';

/** Shown until it is known what there is to see of a website. */
export function WebsiteSkeleton() {
  return (
    <div class="website-skeleton">
      <HeaderToolsRoom />
      <Skeleton width="320px" height={20} />
      <Skeleton height={390} />
    </div>
  );
}
