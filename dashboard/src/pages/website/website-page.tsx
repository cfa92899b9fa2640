import { useEffect, useMemo } from 'preact/hooks';
import { sessionAccess } from '#api/stats-access.ts';
import { HeaderToolsRoom } from '#app/frame/header-tools.tsx';
import { Loaded } from '#app/frame/loaded.tsx';
import { WebsiteNotFound } from '#app/frame/website-not-found.tsx';
import { useWebsites } from '#app/frame/websites-context.tsx';
import type { PageProps } from '#app/routing/page.ts';
import { useIsAdmin } from '#app/session/session-context.ts';
import { Skeleton } from '#design/display/skeleton.tsx';
import { useSharedWords } from '#words/shared-words.ts';
import { Analytics } from '../analytics/analytics.tsx';
import { NoRecords } from './no-records.tsx';
import { QuotaBanner } from './quota-banner.tsx';
import { useWebsiteWords } from './website-words.ts';
import './website-page.css';

/** A website is not expected to have any records for this long after it was added. */
const newMs = 600_000;

/** The statistics of a website, or how to send records while there are none. */
export function WebsitePage({ path, websiteId }: PageProps) {
  const words = useWebsiteWords();
  const { websiteNotFound } = useSharedWords();
  const websites = useWebsites();
  const isAdmin = useIsAdmin();
  const website = websites.value?.websites.find(({ id }) => id === websiteId);
  const access = useMemo(() => sessionAccess(websiteId), [websiteId]);
  const isUnknown = websites.value !== undefined && website === undefined;
  // The website may have been added, or access to it granted, since the list was loaded.
  useEffect(() => {
    if (isUnknown) websites.reload();
  }, [isUnknown, websites.reload]);

  if (website !== undefined && !website.isDeleting)
    return (
      <>
        <QuotaBanner website={website} />
        <Analytics
          website={website}
          access={access}
          path={path}
          canEdit={isAdmin}
          hasRecords={website.usage.used > 0}
          isNew={Date.now() - Date.parse(website.createdAt) < newMs}
          {...(isAdmin && { empty: (state) => <NoRecords website={website} {...state} /> })}
        />
      </>
    );
  return (
    <>
      <h1 class="unseen" tabIndex={-1}>
        {isUnknown ? websiteNotFound.title : words.website}
      </h1>
      <Loaded resource={websites} skeleton={<WebsiteSkeleton />}>
        {() => <WebsiteNotFound isDeleting={website !== undefined} />}
      </Loaded>
    </>
  );
}

function WebsiteSkeleton() {
  return (
    <div class="website-skeleton">
      <HeaderToolsRoom />
      <Skeleton width="320px" height={20} />
      <Skeleton height={390} />
    </div>
  );
}
