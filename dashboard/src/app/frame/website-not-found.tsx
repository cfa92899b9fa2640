import { EmptyState } from '#design/display/empty-state.tsx';
import { LinkButton } from '#design/forms/button.tsx';
import { useSharedWords } from '#words/shared-words.ts';

/** Shown in place of a website that was deleted, is being deleted, or is hidden from this user. */
export function WebsiteNotFound({ isDeleting = false }: { isDeleting?: boolean }) {
  const { websiteNotFound: words, header } = useSharedWords();
  return (
    <EmptyState
      title={isDeleting ? words.deletingTitle : words.title}
      action={<LinkButton href="/websites">{header.allWebsites}</LinkButton>}
    >
      {isDeleting ? words.deleting : words.about}
    </EmptyState>
  );
}
