import { IconMark } from './icon-mark.tsx';
import { iconOfSource } from './icon-of.ts';
import { letterOf } from './letter-of.ts';
import './source-mark.css';

/** A small icon or letter that makes a source easy to spot. */
export function SourceMark({ source }: { source: string }) {
  const icon = iconOfSource(source);
  if (icon !== undefined) return <IconMark icon={icon} />;
  const { letter, colour } = letterOf(source);
  return (
    <span class="source-mark" style={{ background: colour }} aria-hidden="true">
      {letter}
    </span>
  );
}
