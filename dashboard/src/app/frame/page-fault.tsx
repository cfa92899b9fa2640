import { EmptyState } from '#design/display/empty-state.tsx';
import { Button } from '#design/forms/button.tsx';
import { useSharedWords } from '#words/shared-words.ts';

/** Shown when a page throws an error. */
export function PageFault() {
  const { pageFault: words } = useSharedWords();
  return (
    <EmptyState
      isPage
      title={words.title}
      action={
        <Button kind="primary" onClick={() => location.reload()}>
          {words.reload}
        </Button>
      }
    >
      {words.about}
    </EmptyState>
  );
}
