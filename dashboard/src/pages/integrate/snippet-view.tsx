import { useId, useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Website } from '#api/shapes.ts';
import { Banner } from '#design/display/banner.tsx';
import { Tabs } from '#design/display/tabs.tsx';
import { Button } from '#design/forms/button.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { fill } from '#words/fill.ts';
import { CodeBlock } from './code-block.tsx';
import { useIntegrateWords } from './integrate-words.ts';
import { keyPlaceholder, type Language, snippets } from './list-snippets.ts';
import './snippet-view.css';

/**
 * A program in the reader's programming language. It contains the API key only after somebody asks for it.
 */
export function SnippetView({ website: { id, domain } }: { website: Website }) {
  const words = useIntegrateWords();
  const api = useApi();
  const say = useToast();
  const spellFault = useSpellFault();
  const panelId = useId();
  const [language, setLanguage] = useState<Language>('curl');
  const [key, setKey] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const snippet = snippets.find((one) => one.id === language)!;
  const code = snippet.write(location.origin, domain, key ?? keyPlaceholder);

  async function insertKey(): Promise<void> {
    setIsBusy(true);
    const answer = await api.apiKey(id);
    setIsBusy(false);
    if (answer.isOk) setKey(answer.value.apiKey);
    else say(spellFault(answer.fault), { isBad: true });
  }

  return (
    <div class="snippet">
      <Tabs
        label={words.language}
        tabs={snippets}
        selected={language}
        onSelect={setLanguage}
        panelId={panelId}
      />
      <div id={panelId} role="tabpanel" aria-labelledby={`${panelId}-${language}`}>
        <CodeBlock name={snippet.label} code={code} comment={snippet.comment} />
      </div>
      {key === undefined ? (
        <div class="row">
          <Button isSmall isBusy={isBusy} onClick={insertKey}>
            {words.insertKey}
          </Button>
          <span class="faint note">{words.insertKeyWhy}</span>
        </div>
      ) : (
        <Banner kind="warn">
          {fill(words.keyInserted, {
            hide: (
              <button type="button" class="link" onClick={() => setKey(undefined)}>
                {words.hideKey}
              </button>
            ),
          })}
        </Banner>
      )}
    </div>
  );
}
