import { ListPanel } from './list/list-panel.tsx';
import { pageListings } from './list/listings.ts';
import { usePanelsWords } from './panels-words.ts';

export function PagesPanel() {
  return <ListPanel id="pages" title={usePanelsWords().titles.pages} listings={pageListings} limit={8} />;
}
