import { EmptyState } from '#design/display/empty-state.tsx';
import { useWebsiteWords } from '../website/website-words.ts';
import type { AnalysedWebsite } from './analytics-context.ts';

/** Shown to people who can't add records. The statistics appear on their own. */
export function NoNumbers({ website }: { website: AnalysedWebsite }) {
  const words = useWebsiteWords().noNumbers;
  return (
    <>
      <h1 class="unseen" tabIndex={-1}>
        {website.name}
      </h1>
      <EmptyState title={words.title}>{words.about(website.shownDomain)}</EmptyState>
    </>
  );
}
