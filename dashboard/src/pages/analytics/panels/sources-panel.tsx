import { useState } from 'preact/hooks';
import { Choice } from './list/choice.tsx';
import { DimensionList } from './list/dimension-list.tsx';
import { campaignListings, sourceListings } from './list/listings.ts';
import { MoreButton } from './list/more-button.tsx';
import { Panel } from './panel.tsx';

const tabs = [...sourceListings, { id: 'utm', label: 'UTM' }];

export function SourcesPanel() {
  const [tab, setTab] = useState('source');
  const [tag, setTag] = useState('utmSource');
  const chosenTag = campaignListings.find(({ id }) => id === tag)!;
  const source = sourceListings.find(({ id }) => id === tab);
  const listing = source ?? chosenTag;
  return (
    <Panel
      title="Sources"
      tabs={tabs}
      selected={tab}
      onSelect={setTab}
      foot={<MoreButton key={listing.id} listing={listing} />}
    >
      {source === undefined && (
        <div class="sources-tags">
          <Choice label="UTM tag" options={campaignListings} selected={tag} onSelect={setTag} />
        </div>
      )}
      {/* The choice takes the space of one row. */}
      <DimensionList key={listing.id} listing={listing} limit={source === undefined ? 7 : 8} />
    </Panel>
  );
}
