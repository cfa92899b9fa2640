import { useState } from 'preact/hooks';
import { Conversions } from './events/conversions.tsx';
import { EventsDrill } from './events/events-drill.tsx';
import { eventListing } from './list/listings.ts';
import { MoreButton } from './list/more-button.tsx';
import { Panel } from './panel.tsx';
import './events/events.css';

const tabs = [
  { id: 'all', label: 'All events' },
  { id: 'conversions', label: 'Conversions' },
];
const limit = 5;

export function EventsPanel() {
  const [tab, setTab] = useState('all');
  return (
    <Panel
      title="Events"
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
