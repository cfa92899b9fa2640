import { useEffect } from 'preact/hooks';
import { Loaded } from '#app/frame/loaded.tsx';
import { WebsiteNotFound } from '#app/frame/website-not-found.tsx';
import { useWebsites } from '#app/frame/websites-context.tsx';
import type { PageProps } from '#app/routing/page.ts';
import { useSharedWords } from '#words/shared-words.ts';
import { WebsiteAnalytics } from './website-analytics.tsx';
import { WebsiteSkeleton } from './website-skeleton.tsx';
import { useWebsiteWords } from './website-words.ts';
import './website-page.css';

/** The statistics of a website, or how to send records while there are none. */
export function WebsitePage({ path, websiteId }: PageProps) {
  const words = useWebsiteWords();
  const { websiteNotFound } = useSharedWords();
  const websites = useWebsites();
  const website = websites.value?.websites.find(({ id }) => id === websiteId);
  const isUnknown = websites.value !== undefined && website === undefined;
  // The website may have been added, or access to it granted, since the list was loaded.
  useEffect(() => {
    if (isUnknown) websites.reload();
  }, [isUnknown]);

  if (website !== undefined && !website.isDeleting) return <WebsiteAnalytics website={website} path={path} />;
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
