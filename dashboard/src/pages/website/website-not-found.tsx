import { EmptyState } from '#design/display/empty-state.tsx';
import { LinkButton } from '#design/forms/button.tsx';
import { useWebsiteWords } from './website-words.ts';

/** Shown for a website that doesn't exist, or that this user can't see. It deliberately doesn't say which. */
export function WebsiteNotFound() {
  const { notFound: words } = useWebsiteWords();
  return (
    <EmptyState title={words.title} action={<LinkButton href="/websites">{words.back}</LinkButton>}>
      {words.about}
    </EmptyState>
  );
}
