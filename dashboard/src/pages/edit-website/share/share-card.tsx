import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { WebsiteSettings } from '#api/shapes.ts';
import { Card } from '#design/display/card.tsx';
import { CopyButton } from '#design/display/copy-button.tsx';
import { Button, LinkButton } from '#design/forms/button.tsx';
import { Switch } from '#design/forms/switch.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { EmbedCode } from './embed-code.tsx';

type Props = { settings: WebsiteSettings; onChanged: (settings: WebsiteSettings) => void };

export function ShareCard({ settings: { id, name, share }, onChanged }: Props) {
  const api = useApi();
  const say = useToast();
  const [isBusy, setIsBusy] = useState(false);
  const [isRenewing, setIsRenewing] = useState(false);
  const address = share.path === null ? undefined : location.origin + share.path;

  async function change(body: { isOn: boolean; renew?: boolean }): Promise<void> {
    setIsBusy(true);
    const answer = await api.share(id, body);
    setIsBusy(false);
    setIsRenewing(false);
    if (answer.isOk) onChanged(answer.value);
    else say(answer.fault.message, { isBad: true });
  }
  return (
    <Card
      title="Public link"
      about="Anyone with the link can see the analytics, nothing else."
      aside={
        <Switch
          label="Public link"
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
              Copy
            </CopyButton>
          </div>
          <div class="row">
            <LinkButton isSmall icon="open" href={address} target="_blank" rel="noopener">
              Open
            </LinkButton>
            <Button isSmall onClick={() => setIsRenewing(true)}>
              Renew link…
            </Button>
          </div>
          <EmbedCode address={address} name={name} />
        </>
      )}
      {isRenewing && (
        <Dialog title="Renew the public link?" onClose={() => setIsRenewing(false)}>
          <p class="muted">
            A new link is made. Everybody who has the old one can no longer see the analytics.
          </p>
          <div class="dialog-buttons">
            <Button onClick={() => setIsRenewing(false)}>Cancel</Button>
            <Button kind="danger" isBusy={isBusy} onClick={() => void change({ isOn: true, renew: true })}>
              Renew link
            </Button>
          </div>
        </Dialog>
      )}
    </Card>
  );
}
