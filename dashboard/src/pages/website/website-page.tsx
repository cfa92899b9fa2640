import { useEffect } from 'preact/hooks';
import type { Website } from '../../api/shapes.ts';
import { Loaded } from '../../app/loaded.tsx';
import { PageTitle } from '../../app/page-title.tsx';
import type { PageProps } from '../../app/pages.ts';
import { useIsAdmin } from '../../app/session-context.ts';
import { useWebsites } from '../../app/websites-context.tsx';
import { EmptyState } from '../../design/display/empty-state.tsx';
import { Skeleton } from '../../design/display/skeleton.tsx';
import { LinkButton } from '../../design/forms/button.tsx';
import { Integrate } from '../integrate/integrate.tsx';
import { DayCard } from './day-card.tsx';
import './website-page.css';

export function WebsitePage({ websiteId }: PageProps) {
  const websites = useWebsites();
  const isAdmin = useIsAdmin();
  const website = websites.value?.websites.find(({ id }) => id === websiteId);
  const isUnknown = websites.value !== undefined && website === undefined;
  // It may have been added, or granted, since the list was read.
  useEffect(() => {
    if (isUnknown) websites.reload();
  }, [isUnknown, websites.reload]);
  return (
    <>
      <PageTitle
        title={website?.name ?? (websites.value ? 'Not found' : <TitleSkeleton />)}
        tabTitle={website?.name ?? 'Website'}
        crumbs={[{ label: 'Websites', href: '/websites' }]}
        about={
          website === undefined ? <Skeleton width="140px" height={21} /> : <DomainLink website={website} />
        }
        actions={
          website && isAdmin ? (
            <LinkButton icon="gear" href={`/websites/${websiteId}/settings`}>
              Settings
            </LinkButton>
          ) : undefined
        }
      />
      <Loaded resource={websites} skeleton={<Skeleton height={420} />}>
        {() => {
          if (website === undefined)
            return (
              <EmptyState title="There is nothing here">It was removed, or you may not see it.</EmptyState>
            );
          return (
            <div class={isAdmin ? 'website-columns' : undefined}>
              {isAdmin && <Integrate website={website} />}
              <DayCard website={website} />
            </div>
          );
        }}
      </Loaded>
    </>
  );
}

function DomainLink({ website: { domain, shownDomain } }: { website: Website }) {
  return (
    <a href={`https://${domain}/`} target="_blank" rel="noopener noreferrer">
      {shownDomain}
    </a>
  );
}

function TitleSkeleton() {
  return (
    <>
      <span class="unseen">Website</span>
      <Skeleton width="220px" height={28} />
    </>
  );
}
