import { useApi } from '#api/api-context.ts';
import type { ReadToken } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useForm } from '#forms/use-form.ts';
import { useAccessWords } from '../access-words.ts';
import { useEditWebsiteWords } from '../edit-website-words.ts';

type Props = { websiteId: number; token: ReadToken; onClose: () => void; onDone: () => void };

export function RevokeDialog({ websiteId, token, onClose, onDone }: Props) {
  const { tokens: words } = useAccessWords();
  const { cancel } = useEditWebsiteWords();
  const api = useApi();
  const say = useToast();
  const form = useForm({
    initial: {},
    send: () => api.revokeToken(websiteId, token.id),
    onDone: () => {
      say(words.revoked(token.name));
      onDone();
    },
  });
  return (
    <Dialog title={words.ask(token.name)} onClose={onClose}>
      <p class="muted">{words.consequences}</p>
      <FormMessage message={form.fault?.message} />
      <DialogButtons>
        <Button onClick={onClose}>{cancel}</Button>
        <Button kind="danger" isBusy={form.isBusy} onClick={() => form.submit()}>
          {words.confirm}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
