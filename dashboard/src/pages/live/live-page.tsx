import { sessionAccess } from '#api/stats-access.ts';
import { useLive } from '#api/use-live.ts';
import { Loaded } from '#app/frame/loaded.tsx';
import { PageTitle } from '#app/frame/page-title.tsx';
import { useWebsites } from '#app/frame/websites-context.tsx';
import type { PageProps } from '#app/routing/page.ts';
import { EmptyState } from '#design/display/empty-state.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { LiveView } from './live-view.tsx';

/** Shows what is happening on a website right now. It updates live. */
export function LivePage({ websiteId }: PageProps) {
  const websites = useWebsites();
  const website = websites.value?.websites.find(({ id }) => id === websiteId);
  const live = useLive(website && sessionAccess(websiteId));
  const name = website?.name ?? 'Website';
  const count = live.scene?.visitors;
  return (
    <>
      <PageTitle
        title="Live"
        tabTitle={count === undefined ? `Live · ${name}` : `${count} now · ${name}`}
        crumbs={[
          { label: 'Websites', href: '/websites' },
          { label: name, href: `/websites/${websiteId}` },
        ]}
      />
      <Loaded resource={websites} skeleton={<Skeleton height={420} />}>
        {() =>
          website === undefined ? (
            <EmptyState title="There is nothing here">It was removed, or you may not see it.</EmptyState>
          ) : (
            <LiveView {...live} />
          )
        }
      </Loaded>
    </>
  );
}
