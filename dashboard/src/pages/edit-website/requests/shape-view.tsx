import { listMembers } from './list-members.ts';

/** The members of a refused body. The values were masked by the node, which does not keep them. */
export function ShapeView({ shape }: { shape: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled with the keyboard too
    <pre class="shape" tabIndex={0}>
      {listMembers(shape).map(({ depth, name, value }) => (
        <>
          {'  '.repeat(depth)}
          {name} <span class="faint">{value}</span>
          {'\n'}
        </>
      ))}
    </pre>
  );
}
