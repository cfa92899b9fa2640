import { EmptyState } from '#design/display/empty-state.tsx';
import type { AnalysedWebsite } from './analytics-context.ts';

/** To whom cannot change it. The numbers appear by themselves. */
export function NoNumbers({ website }: { website: AnalysedWebsite }) {
  return (
    <>
      <h1 class="unseen" tabIndex={-1}>
        {website.name}
      </h1>
      <EmptyState title="No records yet">
        As soon as {website.shownDomain} has sent its first one, the numbers will be here.
      </EmptyState>
    </>
  );
}
