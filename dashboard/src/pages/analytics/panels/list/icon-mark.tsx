import { iconUrl } from './pictures.ts';
import './source-mark.css';

/** The icon of a source, browser or system. It is loaded when it is on the screen. */
export const IconMark = ({ icon }: { icon: string }) => (
  <img
    class="source-mark"
    src={iconUrl(icon)}
    alt=""
    width={16}
    height={16}
    loading="lazy"
    decoding="async"
  />
);
