import { ListPanel } from './list/list-panel.tsx';
import { deviceListings } from './list/listings.ts';

/** Makes the panel as high as the map beside it. */
const limit = 11;

export function DevicesPanel() {
  return <ListPanel title="Devices" listings={deviceListings} limit={limit} />;
}
