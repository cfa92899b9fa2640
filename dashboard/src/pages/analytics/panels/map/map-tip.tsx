import { Flag } from '../list/flag.tsx';

type Props = {
  x: number;
  y: number;
  /** Of the map: the tip stays within it. */
  width: number;
  code: string;
  name: string;
  shown: string;
  note: string;
};

/** About half of a tip, which stands over the middle of the pointer. */
const halfPx = 80;

/** Says which country is under the pointer, and how many came from there. */
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
