import { sessionAccess } from '#api/stats-access.ts';
import { useLive } from '#api/use-live.ts';
import { Loaded } from '#app/frame/loaded.tsx';
import { PageTitle } from '#app/frame/page-title.tsx';
import { WebsiteNotFound } from '#app/frame/website-not-found.tsx';
import { useWebsites } from '#app/frame/websites-context.tsx';
import type { PageProps } from '#app/routing/page.ts';
import { Skeleton } from '#design/display/skeleton.tsx';
import { useFormat } from '#format/format-context.tsx';
import { LiveView } from './live-view.tsx';
import { useLiveWords } from './live-words.ts';

/** Shows what is happening on a website right now. It updates live. */
export function LivePage({ websiteId }: PageProps) {
  const words = useLiveWords();
  const format = useFormat();
  const websites = useWebsites();
  const website = websites.value?.websites.find(({ id }) => id === websiteId);
  const live = useLive(website && sessionAccess(websiteId));
  const name = website?.name ?? words.website;
  const count = live.scene?.visitors;
  return (
    <>
      <PageTitle
        title={words.title}
        tabTitle={count === undefined ? words.tabTitle(name) : words.tabTitleNow(format.number(count), name)}
        crumbs={[
          { label: words.websites, href: '/websites' },
          { label: website?.shownDomain ?? words.website, href: `/websites/${websiteId}` },
        ]}
      />
      <Loaded resource={websites} skeleton={<Skeleton height={420} />}>
        {() => (website === undefined ? <WebsiteNotFound /> : <LiveView {...live} />)}
      </Loaded>
    </>
  );
}
