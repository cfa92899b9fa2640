import { Loaded } from '#app/frame/loaded.tsx';
import { PageTitle } from '#app/frame/page-title.tsx';
import { useWebsites } from '#app/frame/websites-context.tsx';
import type { PageProps } from '#app/routing/page.ts';
import { EmptyState } from '#design/display/empty-state.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { Integrate } from './integrate.tsx';

/** Shows how to send records, also for a website that already has some. */
export function IntegratePage({ websiteId }: PageProps) {
  const websites = useWebsites();
  const website = websites.value?.websites.find(({ id }) => id === websiteId);
  return (
    <>
      <PageTitle
        title="Send records"
        tabTitle={website === undefined ? 'Send records' : `Send records · ${website.name}`}
        crumbs={[
          { label: 'Websites', href: '/websites' },
          ...(website === undefined ? [] : [{ label: website.shownDomain, href: `/websites/${websiteId}` }]),
        ]}
      />
      <Loaded resource={websites} skeleton={<Skeleton height={420} />}>
        {() =>
          website === undefined ? (
            <EmptyState title="There is nothing here">It was removed, or you may not see it.</EmptyState>
          ) : (
            <Integrate website={website} />
          )
        }
      </Loaded>
    </>
  );
}
