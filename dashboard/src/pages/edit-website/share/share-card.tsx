import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { WebsiteSettings } from '#api/shapes.ts';
import { Card } from '#design/display/card.tsx';
import { CopyButton } from '#design/display/copy-button.tsx';
import { Button, LinkButton } from '#design/forms/button.tsx';
import { Switch } from '#design/forms/switch.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { useAccessWords } from '../access-words.ts';
import { useEditWebsiteWords } from '../edit-website-words.ts';
import { EmbedCode } from './embed-code.tsx';

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

export function ShareCard({ settings: { id, name, share }, onChanged }: Props) {
  const { share: words } = useAccessWords();
  const { copy, cancel } = useEditWebsiteWords();
  const api = useApi();
  const say = useToast();
  const spellFault = useSpellFault();
  const [isBusy, setIsBusy] = useState(false);
  const [isRenewing, setIsRenewing] = useState(false);
  const address = share.path === null ? undefined : location.origin + share.path;

  async function change(body: { isOn: boolean; renew?: boolean }): Promise<void> {
    setIsBusy(true);
    const answer = await api.share(id, body);
    setIsBusy(false);
    setIsRenewing(false);
    if (answer.isOk) onChanged(answer.value);
    else say(spellFault(answer.fault), { isBad: true });
  }
  return (
    <Card
      title={words.title}
      about={words.about}
      aside={
        <Switch
          label={words.title}
          isOn={share.isOn}
          isBusy={isBusy}
          onChange={(isOn) => void change({ isOn })}
        />
      }
    >
      {share.isOn && address !== undefined && (
        <>
          <div class="secret">
            <code>{address}</code>
            <CopyButton isSmall text={() => address}>
              {copy}
            </CopyButton>
          </div>
          <div class="row">
            <LinkButton isSmall icon="open" href={address} target="_blank" rel="noopener">
              {words.open}
            </LinkButton>
            <Button isSmall onClick={() => setIsRenewing(true)}>
              {words.renew}
            </Button>
          </div>
          <EmbedCode address={address} name={name} />
        </>
      )}
      {isRenewing && (
        <Dialog title={words.ask} onClose={() => setIsRenewing(false)}>
          <p class="muted">{words.consequences}</p>
          <DialogButtons>
            <Button onClick={() => setIsRenewing(false)}>{cancel}</Button>
            <Button kind="danger" isBusy={isBusy} onClick={() => void change({ isOn: true, renew: true })}>
              {words.confirm}
            </Button>
          </DialogButtons>
        </Dialog>
      )}
    </Card>
  );
}
