import { CopyButton } from '#design/display/copy-button.tsx';
import { colourCode } from './colour-code.ts';
import { useIntegrateWords } from './integrate-words.ts';
import './code-block.css';

type Props = {
  /** Where the code belongs: the name of a file, or what it is. */
  name: string;
  code: string;
  comment: '#' | '//';
};

/** Code to copy. The button is above the code, so that it never covers it. */
export function CodeBlock({ name, code, comment }: Props) {
  const words = useIntegrateWords();
  return (
    <figure class="code-block">
      <figcaption class="code-head">
        <span class="cut">{name}</span>
        <CopyButton isSmall text={() => code}>
          {words.copy}
        </CopyButton>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll with the keyboard */}
      <pre class="code-text" tabIndex={0}>
        <code>
          {colourCode(code, comment).map(({ text, kind }) =>
            kind === 'plain' ? text : <span class={`code-${kind}`}>{text}</span>,
          )}
        </code>
      </pre>
    </figure>
  );
}
