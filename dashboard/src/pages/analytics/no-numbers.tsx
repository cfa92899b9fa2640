import { EmptyState } from '#design/display/empty-state.tsx';
import type { AnalysedWebsite } from './analytics-context.ts';

/** Shown to people who can't add records. The statistics appear on their own. */
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
