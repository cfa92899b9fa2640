import { useState } from 'preact/hooks';
import { useApi } from '#api/api-context.ts';
import type { Funnel } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useSpellFault } from '#format/use-spell-fault.ts';
import { useAnalytics } from '../../analytics-context.ts';

import { useFunnelsWords } from './funnels-words.ts';

type Props = { funnel: Funnel; onRemoved: (funnel: Funnel) => void; onClose: () => void };

export function RemoveFunnelDialog({ funnel, onRemoved, onClose }: Props) {
  const api = useApi();
  const { website } = useAnalytics();
  const words = useFunnelsWords();
  const spellFault = useSpellFault();
  const [isBusy, setIsBusy] = useState(false);
  const [message, setMessage] = useState<string>();

  async function remove(): Promise<void> {
    setIsBusy(true);
    const answer = await api.removeFunnel(website.id, funnel.id);
    setIsBusy(false);
    // If somebody else has already removed it, it is gone all the same.
    if (answer.isOk || answer.fault.kind === 'not-found') onRemoved(funnel);
    else setMessage(spellFault(answer.fault));
  }
  return (
    <Dialog title={words.removal.title(funnel.name)} onClose={onClose}>
      <p class="muted">{words.removal.about}</p>
      <FormMessage message={message} />
      <DialogButtons>
        <Button onClick={onClose}>{words.form.cancel}</Button>
        <Button kind="danger" isBusy={isBusy} onClick={() => void remove()}>
          {words.removal.remove}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
