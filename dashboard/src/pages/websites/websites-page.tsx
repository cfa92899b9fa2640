import { Loaded } from '#app/frame/loaded.tsx';
import { PageTitle } from '#app/frame/page-title.tsx';
import { useWebsites } from '#app/frame/websites-context.tsx';
import { useIsAdmin } from '#app/session/session-context.ts';
import { EmptyState } from '#design/display/empty-state.tsx';
import { LinkButton } from '#design/forms/button.tsx';
import { WebsiteCard } from './website-card.tsx';
import { WebsiteCardSkeleton } from './website-card-skeleton.tsx';
import './websites-page.css';

export function WebsitesPage() {
  const websites = useWebsites();
  const isAdmin = useIsAdmin();
  const add = (
    <LinkButton kind="primary" icon="plus" href="/websites/new">
      Add website
    </LinkButton>
  );
  const isEmpty = websites.value?.websites.length === 0;
  return (
    <>
      <PageTitle title="Websites" tabTitle="Websites" actions={isAdmin && !isEmpty ? add : undefined} />
      <Loaded resource={websites} skeleton={<Skeletons />}>
        {({ websites }) =>
          websites.length === 0 ? (
            <NoWebsites isAdmin={isAdmin} add={add} />
          ) : (
            <ul class="websites">
              {websites.map((website) => (
                <li key={website.id}>
                  <WebsiteCard website={website} isAdmin={isAdmin} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </>
  );
}

function NoWebsites({ isAdmin, add }: { isAdmin: boolean; add: preact.JSX.Element }) {
  if (!isAdmin)
    return <EmptyState title="No website yet">Ask an admin to give you access to one.</EmptyState>;
  return (
    <EmptyState title="Add your first website" action={add}>
      It gets an API key, and a few lines of code with which your backend sends its first record.
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
