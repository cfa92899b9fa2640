import { Loaded } from '#app/frame/loaded.tsx';
import { WebsiteNotFound } from '#app/frame/website-not-found.tsx';
import { WebsiteTitle } from '#app/frame/website-title.tsx';
import { useWebsites } from '#app/frame/websites-context.tsx';
import type { PageProps } from '#app/routing/page.ts';
import { Skeleton } from '#design/display/skeleton.tsx';
import { CheckRecord } from './check-record.tsx';
import { Integrate } from './integrate.tsx';
import { useIntegrateWords } from './integrate-words.ts';

/** Shows how to send records, also for a website that already has some. */
export function IntegratePage({ websiteId }: PageProps) {
  const words = useIntegrateWords();
  const websites = useWebsites();
  const website = websites.value?.websites.find(({ id }) => id === websiteId);
  return (
    <>
      <WebsiteTitle title={words.title} websiteId={websiteId} />
      <Loaded resource={websites} skeleton={<Skeleton height={420} />}>
        {() =>
          website === undefined ? (
            <WebsiteNotFound />
          ) : (
            <div class="stack">
              <Integrate website={website} />
              <CheckRecord website={website} />
            </div>
          )
        }
      </Loaded>
    </>
  );
}
