import { ListPanel } from './list/list-panel.tsx';
import { pageListings } from './list/listings.ts';
import { usePanelsWords } from './panels-words.ts';

export function PagesPanel() {
  return <ListPanel title={usePanelsWords().titles.pages} listings={pageListings} limit={8} />;
}
