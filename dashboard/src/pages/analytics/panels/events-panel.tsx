import { Conversions } from './events/conversions.tsx';
import { EventsDrill } from './events/events-drill.tsx';
import { eventListing } from './list/listings.ts';
import { MoreButton } from './list/more-button.tsx';
import { Panel } from './panel.tsx';
import { usePanelsWords } from './panels-words.ts';
import { usePanelTab } from './use-panel-tab.ts';
import './events/events.css';

const eventTabs = ['all', 'conversions'] as const;
const limit = 5;

export function EventsPanel() {
  const words = usePanelsWords();
  const labels = { all: words.tabs.allEvents, conversions: words.tabs.conversions };
  const tabs = eventTabs.map((id) => ({ id, label: labels[id] }));
  const [tab, setTab] = usePanelTab('events', eventTabs);
  return (
    <Panel
      title={words.titles.events}
      tabs={tabs}
      selected={tab}
      onSelect={setTab}
      isWide
      foot={<MoreButton listing={eventListing} />}
    >
      {tab === 'all' ? <EventsDrill limit={limit} /> : <Conversions limit={limit} />}
    </Panel>
  );
}
