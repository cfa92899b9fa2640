import { Choice } from './list/choice.tsx';
import { DimensionList } from './list/dimension-list.tsx';
import { tabsOf } from './list/listing.ts';
import { campaignListings, sourceListings } from './list/listings.ts';
import { MoreButton } from './list/more-button.tsx';
import { Panel } from './panel.tsx';
import { usePanelsWords } from './panels-words.ts';
import { usePanelTab } from './use-panel-tab.ts';

export function SourcesPanel() {
  const words = usePanelsWords();
  const tabs = [...tabsOf(sourceListings, words), { id: 'utm' as const, label: words.tabs.utm }];
  const [tab, setTab] = usePanelTab(
    'sources',
    tabs.map(({ id }) => id),
  );
  const [tag, setTag] = usePanelTab(
    'utm',
    campaignListings.map(({ id }) => id),
  );
  const chosenTag = campaignListings.find(({ id }) => id === tag)!;
  const source = sourceListings.find(({ id }) => id === tab);
  const listing = source ?? chosenTag;
  return (
    <Panel
      title={words.titles.sources}
      tabs={tabs}
      selected={tab}
      onSelect={setTab}
      foot={<MoreButton key={listing.id} listing={listing} />}
    >
      {source === undefined && (
        <div class="sources-tags">
          <Choice
            label={words.utmTag}
            options={tabsOf(campaignListings, words)}
            selected={tag}
            onSelect={setTag}
          />
        </div>
      )}
      {/* The choice takes the space of one row. */}
      <DimensionList key={listing.id} listing={listing} limit={source === undefined ? 7 : 8} />
    </Panel>
  );
}
