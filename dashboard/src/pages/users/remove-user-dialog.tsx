import { useApi } from '#api/api-context.ts';
import type { User } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { DialogButtons } from '#design/overlays/dialog-buttons.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useForm } from '#forms/use-form.ts';
import { useUsersWords } from './users-words.ts';

type Props = { user: User; onClose: () => void; onDone: () => void };

export function RemoveUserDialog({ user, onClose, onDone }: Props) {
  const { removal: words, dialog } = useUsersWords();
  const api = useApi();
  const say = useToast();
  const form = useForm({
    initial: {},
    faults: { 'not-allowed': dialog.lastAdmin },
    send: () => api.removeUser(user.id),
    onDone: () => {
      say(words.done(user.email));
      onDone();
    },
  });
  return (
    <Dialog title={words.title(user.email)} onClose={onClose}>
      <p class="muted">{words.about}</p>
      <FormMessage message={form.fault?.message} />
      <DialogButtons>
        <Button onClick={onClose}>{dialog.cancel}</Button>
        <Button kind="danger" isBusy={form.isBusy} onClick={() => form.submit()}>
          {words.confirm}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
