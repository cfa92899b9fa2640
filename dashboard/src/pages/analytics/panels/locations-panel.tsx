import { DimensionList } from './list/dimension-list.tsx';
import { tabsOf } from './list/listing.ts';
import { locationListings } from './list/listings.ts';
import { MoreButton } from './list/more-button.tsx';
import { allCountries, CountryMap } from './map/country-map.tsx';
import { useWorld } from './map/use-world.ts';
import { Panel } from './panel.tsx';
import { usePanelsWords } from './panels-words.ts';
import { usePanelTab } from './use-panel-tab.ts';

/** The map takes the space of seven rows. */
const rows = { belowMap: 4, alone: 11 };

export function LocationsPanel() {
  const words = usePanelsWords();
  const tabs = [{ id: 'map' as const, label: words.tabs.map }, ...tabsOf(locationListings, words)];
  const [tab, setTab] = usePanelTab(
    'locations',
    tabs.map(({ id }) => id),
  );
  const isMap = tab === 'map';
  const world = useWorld(isMap);
  const listing = locationListings.find(({ id }) => id === tab) ?? locationListings[0];
  return (
    <Panel
      title={words.titles.locations}
      tabs={tabs}
      selected={tab}
      onSelect={setTab}
      foot={<MoreButton key={listing.id} listing={listing} />}
    >
      {isMap && <CountryMap world={world} />}
      <DimensionList
        key={tab}
        listing={listing}
        limit={isMap ? rows.belowMap : rows.alone}
        {...(listing.id === 'country' && { asked: allCountries })}
      />
    </Panel>
  );
}
