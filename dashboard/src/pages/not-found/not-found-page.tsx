import { PageTitle } from '#app/frame/page-title.tsx';
import { EmptyState } from '#design/display/empty-state.tsx';
import { LinkButton } from '#design/forms/button.tsx';
import { useNotFoundWords } from './not-found-words.ts';

export function NotFoundPage() {
  const words = useNotFoundWords();
  return (
    <>
      <PageTitle title={words.title} tabTitle={words.title} />
      <EmptyState
        title={words.heading}
        action={<LinkButton href="/websites">{words.allWebsites}</LinkButton>}
      >
        {words.about}
      </EmptyState>
    </>
  );
}
