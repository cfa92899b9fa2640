import { useApi } from '#api/api-context.ts';
import type { User } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useForm } from '#forms/use-form.ts';

type Props = { user: User; onClose: () => void; onDone: () => void };

export function RemoveUserDialog({ user, onClose, onDone }: Props) {
  const api = useApi();
  const say = useToast();
  const form = useForm({
    initial: {},
    send: () => api.removeUser(user.id),
    onDone: () => {
      say(`${user.email} was removed.`);
      onDone();
    },
  });
  return (
    <Dialog title={`Remove ${user.email}?`} onClose={onClose}>
      <p class="muted">
        They are signed out at once and can no longer sign in. What they did stays in the audit log.
      </p>
      <FormMessage message={form.fault?.message} />
      <div class="dialog-buttons">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" isBusy={form.isBusy} onClick={() => form.submit()}>
          Remove user
        </Button>
      </div>
    </Dialog>
  );
}
