import { useAccessWords } from '../access-words.ts';
import { listMembers } from './list-members.ts';

/** The fields of a refused body. The node has masked the values and does not keep them. */
export function ShapeView({ shape }: { shape: unknown }) {
  const { requests: words } = useAccessWords();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list must be scrollable with the keyboard
    <pre class="shape" lang="en" tabIndex={0}>
      {listMembers(shape, words.empty).map(({ depth, name, value }) => (
        <>
          {'  '.repeat(depth)}
          {name} <span class="faint">{value}</span>
          {'\n'}
        </>
      ))}
    </pre>
  );
}
