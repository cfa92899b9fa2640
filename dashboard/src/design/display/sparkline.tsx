import { useId } from 'preact/hooks';
import { drawSparkline } from './draw-sparkline.ts';
import './sparkline.css';

const width = 300;

type Props = { values: readonly number[]; height: number; label: string };

/** A small curve that stretches to the available width. Its line keeps its thickness. */
export function Sparkline({ values, height, label }: Props) {
  const id = useId();
  const { line, area } = drawSparkline(values, width, height);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      height={height}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <defs>
        <linearGradient id={id} x1="0" x2="0" y1="0" y2="1">
          <stop class="sparkline-from" offset="0" />
          <stop class="sparkline-to" offset="1" />
        </linearGradient>
      </defs>
      <path d={area} fill={`url(#${id})`} />
      <path class="sparkline-line" d={line} />
    </svg>
  );
}
