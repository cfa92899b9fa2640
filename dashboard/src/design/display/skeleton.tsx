import './skeleton.css';

type Props = { width?: string; height?: number };

/** A placeholder with the size of the content that is loading. */
export function Skeleton({ width = '100%', height = 14 }: Props) {
  return <span class="skeleton" style={{ width, height: `${height}px` }} aria-hidden="true" />;
}
