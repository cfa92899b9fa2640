import type { ComponentChildren } from 'preact';
import { Panel } from '../panel.tsx';
import { usePanelsWords } from '../panels-words.ts';
import { usePanelTab } from '../use-panel-tab.ts';
import { DimensionList } from './dimension-list.tsx';
import { type Listing, tabsOf } from './listing.ts';
import { MoreButton } from './more-button.tsx';

type Props = {
  /** Its name in the address. */
  id: string;
  title: string;
  listings: readonly [Listing, ...Listing[]];
  limit: number;
  /** Shown instead of the first list. */
  insteadOfFirst?: ComponentChildren;
};

/** A panel whose tabs are lists. */
export function ListPanel({ id, title, listings, limit, insteadOfFirst }: Props) {
  const words = usePanelsWords();
  const [selected, setSelected] = usePanelTab(
    id,
    listings.map((one) => one.id),
  );
  const listing = listings.find((one) => one.id === selected) ?? listings[0];
  return (
    <Panel
      title={title}
      tabs={tabsOf(listings, words)}
      selected={listing.id}
      onSelect={setSelected}
      foot={<MoreButton key={listing.id} listing={listing} />}
    >
      {(listing === listings[0] && insteadOfFirst) || (
        <DimensionList key={listing.id} listing={listing} limit={limit} />
      )}
    </Panel>
  );
}
