import { ListPanel } from './list/list-panel.tsx';
import { deviceListings } from './list/listings.ts';
import { usePanelsWords } from './panels-words.ts';

/** Makes the panel as high as the map beside it. */
const limit = 11;

export function DevicesPanel() {
  return (
    <ListPanel id="devices" title={usePanelsWords().titles.devices} listings={deviceListings} limit={limit} />
  );
}
