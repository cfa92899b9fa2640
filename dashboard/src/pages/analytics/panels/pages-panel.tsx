import { ListPanel } from './list/list-panel.tsx';
import { pageListings } from './list/listings.ts';

export function PagesPanel() {
  return <ListPanel title="Pages" listings={pageListings} limit={8} />;
}
