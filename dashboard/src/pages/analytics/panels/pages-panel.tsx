import { useAnalytics } from '../analytics-context.ts';
import { ListPanel } from './list/list-panel.tsx';
import { pageListings } from './list/listings.ts';
import { usePanelsWords } from './panels-words.ts';
import { findPage } from './paths/find-page.ts';
import { PageDrill } from './paths/page-drill.tsx';

const limit = 8;

export function PagesPanel() {
  const { shown } = useAnalytics();
  const page = findPage(shown.filters);
  return (
    <ListPanel
      id="pages"
      title={usePanelsWords().titles.pages}
      listings={pageListings}
      limit={limit}
      insteadOfFirst={page !== undefined && <PageDrill page={page} limit={limit - 2} />}
    />
  );
}
