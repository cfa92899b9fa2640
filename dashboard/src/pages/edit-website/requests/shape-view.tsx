import { useFormat } from '#format/format-context.tsx';
import { useAccessWords } from '../access-words.ts';
import { listMembers } from './list-members.ts';
import { spellMasked } from './spell-masked.ts';

/** The fields of a refused body. The node has masked the values and does not keep them. */
export function ShapeView({ shape }: { shape: unknown }) {
  const { requests: words } = useAccessWords();
  const format = useFormat();
  const spell = (text: string) => spellMasked(text, words, format);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list must be scrollable with the keyboard
    <pre class="shape" tabIndex={0}>
      {listMembers(shape, { empty: words.empty, spell }).map(({ depth, name, value }) => (
        <>
          {'  '.repeat(depth)}
          {name} <span class="faint">{value}</span>
          {'\n'}
        </>
      ))}
    </pre>
  );
}
