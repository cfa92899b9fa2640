import type { ComponentChildren } from 'preact';
import { EmptyState } from '#design/display/empty-state.tsx';
import { Button } from '#design/forms/button.tsx';
import { useAnalytics } from '../analytics-context.ts';
import { useTotals } from './list/use-list-rows.ts';
import { usePanelsWords } from './panels-words.ts';

/**
 * Shows the panels, or says once that nothing matches the filters instead of saying it in each panel. The
 * panels stay, hidden, so that they ask together with the rest of the page when the filters change.
 */
export function Matching({ children }: { children: ComponentChildren }) {
  const { shown, change } = useAnalytics();
  const words = usePanelsWords().noMatches;
  const totals = useTotals();
  const hasNone = totals !== undefined && totals.visitors === 0 && totals.events === 0;
  const isEmpty = hasNone && shown.filters.length > 0;

  function clear(): void {
    change({ filters: [] });
    // The button is about to disappear.
    document.querySelector<HTMLElement>('main h1')?.focus();
  }
  return (
    <>
      {isEmpty && (
        <EmptyState
          title={words.title}
          action={
            <Button kind="primary" onClick={clear}>
              {words.clear}
            </Button>
          }
        >
          {words.about}
        </EmptyState>
      )}
      <div hidden={isEmpty}>{children}</div>
    </>
  );
}
