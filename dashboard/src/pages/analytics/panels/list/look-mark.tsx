import type { Look } from './look.ts';
import { iconUrl } from './pictures.ts';
import './source-mark.css';

/** An icon or a letter on a tile. An icon is loaded when it is on the page. */
export function LookMark({ look: { letter, colour, icon } }: { look: Look }) {
  return (
    <span class="source-mark" style={{ background: colour }} aria-hidden="true">
      {icon === undefined ? letter : <i style={{ maskImage: `url(${iconUrl(icon)})` }} />}
    </span>
  );
}
