import { useMemo } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { ShareAnswer } from '#api/shapes.ts';
import { shareAccess } from '#api/stats-access.ts';
import { type Resource, useResource } from '#api/use-resource.ts';
import { HeaderToolsProvider } from '#app/frame/header-tools.tsx';
import { Loaded } from '#app/frame/loaded.tsx';
import type { PageProps } from '#app/routing/page.ts';
import { usePlace } from '#app/routing/router.ts';
import { Banner } from '#design/display/banner.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { useFormat } from '#format/format-context.tsx';
import { Analytics } from '../analytics/analytics.tsx';
import { DeadLink } from './dead-link.tsx';
import { readSharePath } from './read-share-path.ts';
import { ShareHeader } from './share-header.tsx';
import { useShareWords } from './share-words.ts';
import './share.css';

type PartProps = { shared: Resource<ShareAnswer>; token: string; path: string };

/** The statistics of a website for anyone with its public link, read-only. */
export function SharePage({ path }: PageProps) {
  const api = useApi();
  const { search } = usePlace(path);
  const { token, isEmbed } = readSharePath(path);
  const shared = useResource(`share ${token}`, (signal) => api.sharedWebsite(token, signal));
  // The link may also have been revoked while the page was open.
  if (shared.fault?.kind === 'not-found') return <DeadLink />;
  if (isEmbed)
    return (
      <main class="share-embed">
        <SharedNumbers shared={shared} token={token} path={path} />
      </main>
    );
  return (
    <HeaderToolsProvider>
      <div class="wrap">
        <ShareHeader website={shared.value?.website} token={token} search={search} />
        <main class="main">
          <SharedNumbers shared={shared} token={token} path={path} />
        </main>
      </div>
    </HeaderToolsProvider>
  );
}

function SharedNumbers({ shared, token, path }: PartProps) {
  const access = useMemo(() => shareAccess(token), [token]);
  return (
    <Loaded resource={shared} skeleton={<ShareSkeleton />}>
      {({ website, demoRecords }) => (
        <Analytics
          website={website}
          access={access}
          path={path}
          isShared
          canEdit={false}
          notices={demoRecords > 0 && <DemoNotice records={demoRecords} />}
        />
      )}
    </Loaded>
  );
}

/** Nobody should take made-up visitors for real ones. */
function DemoNotice({ records }: { records: number }) {
  const { demo: words } = useShareWords();
  const format = useFormat();
  return (
    <div class="quota" role="status">
      <Banner kind="info">
        <b>{words.title}</b> {format.count(records, words.about)}
      </Banner>
    </div>
  );
}

function ShareSkeleton() {
  const words = useShareWords();
  return (
    <div class="share-skeleton">
      <h1 class="unseen">{words.title}</h1>
      <Skeleton width="320px" height={20} />
      <Skeleton height={390} />
    </div>
  );
}
