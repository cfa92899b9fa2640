import { useState } from 'preact/hooks';
import { Conversions } from './events/conversions.tsx';
import { EventsDrill } from './events/events-drill.tsx';
import { eventListing } from './list/listings.ts';
import { MoreButton } from './list/more-button.tsx';
import { Panel } from './panel.tsx';
import { usePanelsWords } from './panels-words.ts';
import './events/events.css';

const limit = 5;

export function EventsPanel() {
  const words = usePanelsWords();
  const tabs = [
    { id: 'all', label: words.tabs.allEvents },
    { id: 'conversions', label: words.tabs.conversions },
  ];
  const [tab, setTab] = useState('all');
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
