import { Flag } from './flag.tsx';
import { SourceMark } from './source-mark.tsx';

/** The mark before a value, for dimensions that have marks. */
export function markOf(dimension: string, value: string) {
  if (dimension === 'source') return <SourceMark source={value} />;
  return dimension === 'country' && value !== '' ? <Flag code={value} /> : undefined;
}
