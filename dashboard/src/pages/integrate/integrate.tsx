import { useId, useState } from 'preact/hooks';
import type { Website } from '#api/shapes.ts';
import { Tabs } from '#design/display/tabs.tsx';
import { fill } from '#words/fill.ts';
import { CodeBlock } from './code-block.tsx';
import { FirstRecord } from './first-record.tsx';
import { InsertKey } from './insert-key.tsx';
import { useIntegrateWords } from './integrate-words.ts';
import { keyPlaceholder, type Language, scriptFor, snippets } from './list-snippets.ts';
import type { Sent } from './snippets/sent.ts';
import './integrate.css';

/**
 * The whole path, from a page in the browser through the reader's backend to Trackside, in their language.
 */
export function Integrate({ website: { id, domain } }: { website: Website }) {
  const words = useIntegrateWords();
  const panelId = useId();
  const [language, setLanguage] = useState<Language>('curl');
  const [insertedKey, setInsertedKey] = useState<string>();
  const { label, comment, write, endpoint } = snippets.find((one) => one.id === language)!;
  const key = insertedKey ?? keyPlaceholder;
  const program = (sent: Sent) => (
    <CodeBlock name={label} code={write(location.origin, domain, key, sent)} comment={comment} />
  );
  const path = <code>/side</code>;
  return (
    <section class="card" aria-labelledby="integrate">
      <h2 id="integrate">{words.heading}</h2>
      <p class="card-about">{words.about}</p>
      <div class="integrate-languages">
        <Tabs
          label={words.language}
          tabs={snippets}
          selected={language}
          onSelect={setLanguage}
          panelId={panelId}
        />
      </div>
      <div id={panelId} role="tabpanel" aria-labelledby={`${panelId}-${language}`}>
        <ol class="steps">
          <li class="step">
            <h3>{words.test}</h3>
            {program('page view')}
            <InsertKey websiteId={id} hasKey={insertedKey !== undefined} onKey={setInsertedKey} />
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
              <CodeBlock name={label} code={endpoint(location.origin, key)} comment={comment} />
            )}
          </li>
          <li class="step">
            <h3>{words.event}</h3>
            <p class="muted">{words.eventAbout}</p>
            {program('event')}
          </li>
        </ol>
      </div>
    </section>
  );
}
