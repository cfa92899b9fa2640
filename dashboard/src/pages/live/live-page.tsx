import { sessionAccess } from '#api/stats-access.ts';
import { useLive } from '#api/use-live.ts';
import { Loaded } from '#app/frame/loaded.tsx';
import { WebsiteNotFound } from '#app/frame/website-not-found.tsx';
import { WebsiteTitle } from '#app/frame/website-title.tsx';
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
  const count = live.isAway ? undefined : live.scene?.visitors;
  return (
    <>
      <WebsiteTitle
        title={words.title}
        websiteId={websiteId}
        {...(count !== undefined && { short: words.titleNow(format.number(count)) })}
      />
      <Loaded resource={websites} skeleton={<Skeleton height={420} />}>
        {() => (website === undefined ? <WebsiteNotFound /> : <LiveView {...live} />)}
      </Loaded>
    </>
  );
}
