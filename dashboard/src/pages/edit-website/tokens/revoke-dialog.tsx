import { useApi } from '#api/api-context.ts';
import type { ReadToken } from '#api/shapes.ts';
import { Button } from '#design/forms/button.tsx';
import { FormMessage } from '#design/forms/form-message.tsx';
import { Dialog } from '#design/overlays/dialog.tsx';
import { useToast } from '#design/overlays/toasts.tsx';
import { useForm } from '#forms/use-form.ts';

type Props = { websiteId: number; token: ReadToken; onClose: () => void; onDone: () => void };

export function RevokeDialog({ websiteId, token, onClose, onDone }: Props) {
  const api = useApi();
  const say = useToast();
  const form = useForm({
    initial: {},
    send: () => api.revokeToken(websiteId, token.id),
    onDone: () => {
      say(`The token “${token.name}” no longer works.`);
      onDone();
    },
  });
  return (
    <Dialog title={`Revoke “${token.name}”?`} onClose={onClose}>
      <p class="muted">Programs that use it can no longer read the statistics. It cannot be brought back.</p>
      <FormMessage message={form.fault?.message} />
      <div class="dialog-buttons">
        <Button onClick={onClose}>Cancel</Button>
        <Button kind="danger" isBusy={form.isBusy} onClick={() => form.submit()}>
          Revoke token
        </Button>
      </div>
    </Dialog>
  );
}
