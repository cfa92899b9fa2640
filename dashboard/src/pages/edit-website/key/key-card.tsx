import { useEffect, useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { WebsiteSettings } from '#api/shapes.ts';
import { Banner } from '#design/display/banner.tsx';
import { Card } from '#design/display/card.tsx';
import { CopyButton } from '#design/display/copy-button.tsx';
import { Button } from '#design/forms/button.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useFormat } from '#format/format-context.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { useAccessWords } from '../access-words.ts';
import { KeyUse } from './key-use.tsx';
import { RegenerateDialog } from './regenerate-dialog.tsx';

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

/** The API key, masked. The key itself is fetched only when somebody asks for it. */
export function KeyCard({ settings, onChanged }: Props) {
  const { id, key } = settings;
  const { key: words } = useAccessWords();
  const api = useApi();
  const say = useToast();
  const spellFault = useSpellFault();
  const format = useFormat();
  const [shown, setShown] = useState<string>();
  const [isRegenerating, setIsRegenerating] = useState(false);
  const [isNew, setIsNew] = useState(false);
  // The key may have been regenerated in another tab, so the one shown here is outdated.
  useEffect(() => {
    setShown((last) => (last !== undefined && mask(last) === mask(key.masked) ? last : undefined));
  }, [key.masked]);

  async function fetchKey(): Promise<string> {
    if (shown !== undefined) return shown;
    const answer = await api.apiKey(id);
    if (answer.isOk) return answer.value.apiKey;
    say(spellFault(answer.fault), { isBad: true });
    throw new Error(answer.fault.message);
  }
  const reveal = () => (shown === undefined ? fetchKey().then(setShown, () => {}) : setShown(undefined));

  return (
    <Card title={words.title} about={words.about}>
      <div class="secret">
        <code>{shown ?? shorten(key.masked)}</code>
        <Button isSmall aria-pressed={shown !== undefined} onClick={reveal}>
          {shown === undefined ? words.reveal : words.hide}
        </Button>
      </div>
      <div class="row">
        <CopyButton kind="primary" text={() => fetchKey().then((text) => `Authorization: ${text}`)}>
          {words.copyHeader}
        </CopyButton>
        <CopyButton text={fetchKey}>{words.copyKey}</CopyButton>
        <Button kind="danger-ghost" onClick={() => setIsRegenerating(true)}>
          {words.regenerate}
        </Button>
      </div>
      <KeyUse keyFacts={key} />
      {isNew && (
        <div role="status">
          <Banner kind="good">
            <b>{words.isNew}</b> {words.useNew}
          </Banner>
        </div>
      )}
      {key.oldKeyUntil !== null && (
        <Banner kind="info">{words.oldUntil(format.dayAndHour(key.oldKeyUntil))}</Banner>
      )}
      <Banner kind="warn">{words.warning}</Banner>
      {isRegenerating && (
        <RegenerateDialog
          settings={settings}
          onClose={() => setIsRegenerating(false)}
          onDone={({ apiKey, settings: changed }) => {
            setIsRegenerating(false);
            setShown(apiKey);
            setIsNew(true);
            onChanged(changed);
          }}
        />
      )}
    </Card>
  );
}

/** The first and last characters, which is what a masked key shows. */
const mask = (key: string) => key.slice(0, 4) + key.slice(-4);

/** A masked key that fits on one line. */
const shorten = (masked: string) => `${masked.slice(0, 4)}${'•'.repeat(10)}${masked.slice(-4)}`;
