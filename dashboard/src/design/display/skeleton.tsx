import './skeleton.css';

type Props = { width?: string; height?: number };

/** Holds the place of something that is on its way, in its size. */
export function Skeleton({ width = '100%', height = 14 }: Props) {
  return <span class="skeleton" style={{ width, height: `${height}px` }} aria-hidden="true" />;
}
