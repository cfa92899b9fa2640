import { PageTitle } from '#app/frame/page-title.tsx';
import { EmptyState } from '#design/display/empty-state.tsx';
import { LinkButton } from '#design/forms/button.tsx';

export function NotFoundPage() {
  return (
    <>
      <PageTitle title="Not found" tabTitle="Not found" />
      <EmptyState
        title="There is nothing at this address"
        action={<LinkButton href="/websites">All websites</LinkButton>}
      >
        The link may be old or mistyped, or it leads to something that you may not see.
      </EmptyState>
    </>
  );
}
