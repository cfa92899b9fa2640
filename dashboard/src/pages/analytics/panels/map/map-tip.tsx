import { Flag } from '../list/flag.tsx';

type Props = {
  x: number;
  y: number;
  /** The width of the map, which the tooltip stays within. */
  width: number;
  code: string;
  name: string;
  shown: string;
  note: string;
};

/** Roughly half the width of a tooltip, which is centered on the pointer. */
const halfPx = 80;

/** Names the country under the pointer, and how many visitors came from there. */
export function MapTip({ x, y, width, code, name, shown, note }: Props) {
  const left = Math.max(halfPx, Math.min(x, width - halfPx));
  return (
    <div class="map-tip" style={{ left: `${left}px`, top: `${y - 12}px` }} aria-hidden="true">
      <div class="map-tip-faint">
        <Flag code={code} /> {name}
      </div>
      <b>{shown}</b>
      {note !== '' && <span class="map-tip-faint"> · {note}</span>}
    </div>
  );
}
