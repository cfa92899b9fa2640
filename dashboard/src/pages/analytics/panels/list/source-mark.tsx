import { lookOf } from './source-looks.ts';
import './source-mark.css';

/** A small colored letter that makes a source easy to spot. */
export function SourceMark({ source }: { source: string }) {
  const { letter, colour } = lookOf(source);
  return (
    <span class="source-mark" style={{ background: colour }} aria-hidden="true">
      {letter}
    </span>
  );
}
