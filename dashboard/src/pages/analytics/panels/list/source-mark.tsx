import { lookOf } from './source-looks.ts';
import './source-mark.css';

/** A small coloured letter: the eye finds a source by it before it has read the name. */
export function SourceMark({ source }: { source: string }) {
  const { letter, colour } = lookOf(source);
  return (
    <span class="source-mark" style={{ background: colour }} aria-hidden="true">
      {letter}
    </span>
  );
}
