import { Loaded } from '#app/frame/loaded.tsx';
import { PageTitle } from '#app/frame/page-title.tsx';
import { useWebsites } from '#app/frame/websites-context.tsx';
import type { PageProps } from '#app/routing/page.ts';
import { useIsAdmin } from '#app/session/session-context.ts';
import { EmptyState } from '#design/display/empty-state.tsx';
import { LinkButton } from '#design/forms/button.tsx';
import { DemoWebsiteButton } from '../website/demo-website-button.tsx';
import { WebsiteCardSkeleton } from './website-card-skeleton.tsx';
import { WebsiteList } from './website-list.tsx';
import { useWebsitesWords } from './websites-words.ts';
import './websites-page.css';

export function WebsitesPage({ path }: PageProps) {
  const words = useWebsitesWords();
  const websites = useWebsites();
  const isAdmin = useIsAdmin();
  const add = (
    <LinkButton kind="primary" icon="plus" href="/websites/new">
      {words.add}
    </LinkButton>
  );
  const isEmpty = websites.value?.websites.length === 0;
  return (
    <>
      <PageTitle title={words.title} tabTitle={words.title} actions={isAdmin && !isEmpty ? add : undefined} />
      <Loaded resource={websites} skeleton={<Skeletons />}>
        {({ websites }) =>
          websites.length === 0 ? (
            <NoWebsites isAdmin={isAdmin} add={add} />
          ) : (
            <WebsiteList path={path} websites={websites} isAdmin={isAdmin} />
          )
        }
      </Loaded>
    </>
  );
}

function NoWebsites({ isAdmin, add }: { isAdmin: boolean; add: preact.JSX.Element }) {
  const { empty: words } = useWebsitesWords();
  if (!isAdmin) return <EmptyState title={words.viewerTitle}>{words.viewer}</EmptyState>;
  return (
    <EmptyState
      title={words.title}
      action={
        <>
          {add}
          <DemoWebsiteButton />
        </>
      }
    >
      {words.about}
    </EmptyState>
  );
}

function Skeletons() {
  return (
    <div class="websites">
      <WebsiteCardSkeleton />
      <WebsiteCardSkeleton />
      <WebsiteCardSkeleton />
    </div>
  );
}
