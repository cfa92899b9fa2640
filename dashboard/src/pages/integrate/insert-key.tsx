import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import { Banner } from '#design/display/banner.tsx';
import { Button } from '#design/forms/button.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { fill } from '#words/fill.ts';
import { useIntegrateWords } from './integrate-words.ts';
import './insert-key.css';

type Props = { websiteId: number; hasKey: boolean; onKey: (key: string | undefined) => void };

/** Puts the API key into the code when somebody asks for it, and takes it out again. */
export function InsertKey({ websiteId, hasKey, onKey }: Props) {
  const words = useIntegrateWords();
  const api = useApi();
  const say = useToast();
  const spellFault = useSpellFault();
  const [isBusy, setIsBusy] = useState(false);

  async function insert(): Promise<void> {
    setIsBusy(true);
    const answer = await api.apiKey(websiteId);
    setIsBusy(false);
    if (answer.isOk) onKey(answer.value.apiKey);
    else say(spellFault(answer.fault), { isBad: true });
  }

  if (!hasKey)
    return (
      <div class="row">
        <Button isSmall isBusy={isBusy} onClick={insert}>
          {words.insertKey}
        </Button>
        <span class="faint note">{words.insertKeyWhy}</span>
      </div>
    );
  const hide = (
    <button type="button" class="link" onClick={() => onKey(undefined)}>
      {words.hideKey}
    </button>
  );
  return <Banner kind="warn">{fill(words.keyInserted, { hide })}</Banner>;
}
