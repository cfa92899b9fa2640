import { EmptyState } from '#design/display/empty-state.tsx';
import type { AnalysedWebsite } from './analytics-context.ts';
import { useHeadWords } from './head/head-words.ts';

/** Shown to people who can't add records. The statistics appear on their own. */
export function NoNumbers({ website }: { website: AnalysedWebsite }) {
  const words = useHeadWords().noData;
  return (
    <>
      <h1 class="unseen" tabIndex={-1}>
        {website.name}
      </h1>
      <EmptyState title={words.title}>{words.about(website.shownDomain)}</EmptyState>
    </>
  );
}
