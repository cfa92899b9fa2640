import { useState } from 'preact/hooks';
import type { Website } from '#api/shapes.ts';
import { fill } from '#words/fill.ts';
import { CodeBlock } from './code-block.tsx';
import { FirstRecord } from './first-record.tsx';
import { InsertKey } from './insert-key.tsx';
import { useIntegrateWords } from './integrate-words.ts';
import { keyPlaceholder, type Language, scriptFor, snippets } from './list-snippets.ts';
import { readSnippet, type Sent } from './read-snippet.ts';

type Props = { website: Website; language: Language; text: string };

/** What to do in one language, step by step. The key stays in the code when another language is chosen. */
export function IntegrateSteps({ website: { id, domain }, language, text }: Props) {
  const words = useIntegrateWords();
  const [key, setKey] = useState<string>();
  const { label, comment } = snippets.find((one) => one.id === language)!;
  const values = { origin: location.origin, domain, key: key ?? keyPlaceholder };
  const { write, endpoint } = readSnippet(text, values);
  const program = (sent: Sent) => <CodeBlock name={label} code={write(sent)} comment={comment} />;
  const path = <code>/side</code>;
  return (
    <ol class="steps">
      <li class="step">
        <h3>{words.test}</h3>
        {program('page view')}
        <InsertKey websiteId={id} hasKey={key !== undefined} onKey={setKey} />
      </li>
      <li class="step">
        <h3>{words.arrive}</h3>
        <FirstRecord websiteId={id} />
      </li>
      <li class="step">
        <h3>{words.script}</h3>
        <p class="muted">{fill(words.scriptAbout, { path })}</p>
        <CodeBlock name="HTML" code={scriptFor(language)} comment="//" />
      </li>
      <li class="step">
        <h3>{words.endpoint}</h3>
        <p class="muted">{words.endpointAbout}</p>
        {endpoint === undefined ? (
          <p>{fill(language === 'php' ? words.endpointOfPhp : words.endpointOfCurl, { path })}</p>
        ) : (
          <CodeBlock name={label} code={endpoint} comment={comment} />
        )}
      </li>
      <li class="step">
        <h3>{words.event}</h3>
        <p class="muted">{words.eventAbout}</p>
        {program('event')}
      </li>
    </ol>
  );
}
