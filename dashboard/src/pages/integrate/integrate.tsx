import { useId, useState } from 'preact/hooks';
import type { Website } from '#api/shapes.ts';
import { PageFault } from '#app/frame/page-fault.tsx';
import { Skeleton } from '#design/display/skeleton.tsx';
import { Tabs } from '#design/display/tabs.tsx';
import { IntegrateSteps } from './integrate-steps.tsx';
import { useIntegrateWords } from './integrate-words.ts';
import { type Language, snippets } from './list-snippets.ts';
import { useSnippets } from './use-snippets.ts';
import './integrate.css';

/** The way from a page in the browser through the reader's backend to Trackside, in their language. */
export function Integrate({ website }: { website: Website }) {
  const words = useIntegrateWords();
  const panelId = useId();
  const [language, setLanguage] = useState<Language>('curl');
  const { value: texts, fault } = useSnippets();
  // The page reconnects by itself, and the banner already reports a lost connection.
  const isMissing = fault !== undefined && fault.kind !== 'unreachable';
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
      <div
        id={panelId}
        role="tabpanel"
        aria-labelledby={`${panelId}-${language}`}
        aria-busy={texts === undefined && !isMissing}
      >
        {texts !== undefined ? (
          <IntegrateSteps website={website} language={language} text={texts[language]} />
        ) : isMissing ? (
          <PageFault />
        ) : (
          <Skeleton height={420} />
        )}
      </div>
    </section>
  );
}
