import { useId, useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Website } from '#api/shapes.ts';
import { useResource } from '#api/use-resource.ts';
import { Loaded } from '#app/frame/loaded.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { Tabs } from '#design/display/tabs.tsx';
import { fill } from '#words/fill.ts';
import { CodeBlock } from './code-block.tsx';
import { FirstRecord } from './first-record.tsx';
import { InsertKey } from './insert-key.tsx';
import { useIntegrateWords } from './integrate-words.ts';
import { insertValues, keyPlaceholder, type Language, scriptFor, snippets } from './list-snippets.ts';
import './integrate.css';

/**
 * The whole path, from a page in the browser through the reader's backend to Trackside, in their language.
 */
export function Integrate({ website: { id, domain } }: { website: Website }) {
  const words = useIntegrateWords();
  const panelId = useId();
  const [language, setLanguage] = useState<Language>('curl');
  const [insertedKey, setInsertedKey] = useState<string>();
  const texts = useResource('snippets', useApi().snippets);
  const { label, comment, file, serve } = snippets.find((one) => one.id === language)!;
  const fillIn = (text: string) => insertValues(text, location.origin, domain, insertedKey ?? keyPlaceholder);
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
            <Loaded resource={texts} skeleton={<Skeleton height={406} />}>
              {(loaded) => <CodeBlock name={file} code={fillIn(loaded[file] ?? '')} comment={comment} />}
            </Loaded>
            <InsertKey websiteId={id} hasKey={insertedKey !== undefined} onKey={setInsertedKey} />
          </li>
          <li class="step">
            <h3>{words.arrive}</h3>
            <FirstRecord websiteId={id} />
          </li>
          <li class="step">
            <h3>{words.script}</h3>
            <p class="muted">{fill(words.scriptAbout, { path: <code>/side</code> })}</p>
            <Loaded resource={texts} skeleton={<Skeleton height={70} />}>
              {(loaded) => <CodeBlock name="HTML" code={loaded[scriptFor(language)] ?? ''} comment="//" />}
            </Loaded>
          </li>
          <li class="step">
            <h3>{words.endpoint}</h3>
            <p class="muted">{words.endpointAbout}</p>
            {serve === undefined ? (
              <p>{words.endpointOfCurl}</p>
            ) : (
              <>
                <p class="muted">{words.endpointRun}</p>
                <CodeBlock name={label} code={serve} comment="#" />
              </>
            )}
          </li>
          <li class="step">
            <h3>{words.event}</h3>
            <p class="muted">
              {serve === undefined
                ? words.eventOfCurl
                : fill(words.eventAbout, { path: <code>/sign-up</code> })}
            </p>
          </li>
        </ol>
      </div>
    </section>
  );
}
